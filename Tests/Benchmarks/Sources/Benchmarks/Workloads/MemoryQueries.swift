import Foundation
import RepositoryRuntime

/// Queries and changes of 100,000 records in memory, beside what one writes over an array.
func memoryQueries() -> [Workload] {
    let readings = Reading.first(100_000)
    func library() async throws -> Measurements {
        let library = Measurements(InMemoryStore(seed: readings), fullScans: .allow)
        try await library.open()
        return library
    }
    func compared(
        _ name: String, _ limit: @escaping () -> Void,
        _ ours: @escaping (Measurements) async throws -> Void
    ) -> Workload {
        Workload(name: "memory: \(name)", count: readings.count) {
            let library = try await library()
            // The store builds its id order at the first query.
            try await ours(library)
            return Sides(
                ours: Side { try await timed { try await ours(library) } },
                limit: Side("an array") { timed(limit) })
        }
    }
    return [
        compared("filter 100,000") {
            use(
                readings.filter {
                    $0.station == "Zürich Fluntern 7" || $0.count > 99_000 && $0.isValid
                })
        } _: { library in
            use(
                try await library.readings.fetch(
                    .where {
                        $0.station == "Zürich Fluntern 7" || $0.count > 99_000 && $0.isValid == true
                    }))
        },
        compared("sort 100,000, first 20") {
            use(readings.sorted { ($0.quantity, $1.value) < ($1.quantity, $0.value) }.prefix(20))
        } _: { library in
            use(
                try await library.readings.fetch(
                    .sorted(by: \.quantity).sorted(by: \.value, .descending).limit(20)))
        },
        compared("count 100,000") {
            use(readings.count { $0.value > 1_000 })
        } _: { library in
            use(try await library.readings.count(.where { $0.value > 1_000 }))
        },
        compared("group 100,000") {
            use(
                Dictionary(grouping: readings, by: \.station).mapValues {
                    $0.reduce(0) { $0 + $1.count }
                })
        } _: { library in
            use(try await library.readings.group(by: \.station, .sum(of: \.count)))
        },
        updateAll(readings, library),
    ]
}

private func updateAll(
    _ readings: [Reading], _ library: @escaping () async throws -> Measurements
) -> Workload {
    Workload(name: "memory: updateAll 100,000", count: readings.count) {
        let library = try await library()
        return Sides(
            ours: Side {
                try await timed {
                    use(
                        try await library.readings.updateAll(
                            where: { $0.count >= 0 }, set: { $0.value += 1 }))
                }
            },
            limit: Side("a dictionary") {
                var copies = Dictionary(readings.map { ($0.id, $0) }) { first, _ in first }
                return timed {
                    for id in copies.keys where (copies[id]?.count ?? 0) >= 0 {
                        copies[id]?.value += 1
                    }
                    use(copies)
                }
            })
    }
}
