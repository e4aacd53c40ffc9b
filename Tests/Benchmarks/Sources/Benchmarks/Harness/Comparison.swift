/// Runs the sides of a workload in turn.
struct Comparison {
    func result(of workload: Workload) async throws -> Result {
        let sides = try await workload.sides()
        var times = sides.all.map { _ in [Duration]() }
        // The first time does not count.
        for round in (workload.warmsUp ? 0 : 1)...workload.rounds {
            // Each round starts with another side, so that none always runs after the same one.
            for place in sides.all.indices {
                let side = (place + round) % sides.all.count
                let time = try await sides.all[side].run()
                if round > 0 { times[side].append(time) }
            }
        }
        let medians = zip(sides.all, times).map { side, times in
            let median = times.sorted()[times.count / 2] / .seconds(1)
            return median * workload.unit.perSecond / Double(side.count ?? workload.count)
        }
        return Result(
            workload: workload.name, unit: workload.unit.rawValue, ours: medians[0],
            limit: sides.limit == nil ? nil : medians[1], limitName: sides.limit?.name,
            peer: sides.peer == nil ? nil : medians.last, peerName: sides.peer?.name)
    }

    /// Runs one side once, for a program that counts its instructions: `ours`, `limit` or `peer`.
    ///
    /// - Returns: how many operations there were; nil where the line has no such side.
    func runOnce(_ side: String, of workload: Workload) async throws -> Int? {
        let sides = try await workload.sides()
        let chosen = ["ours": sides.ours, "limit": sides.limit, "peer": sides.peer][side] ?? nil
        guard let chosen else { return nil }
        _ = try await chosen.run()
        return chosen.count ?? workload.count
    }
}
