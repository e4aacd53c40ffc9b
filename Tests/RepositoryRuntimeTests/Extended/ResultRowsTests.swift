import Testing

@testable import RepositoryRuntime

/// Results that are kept by the records written, and the changes between them, against queries read anew.
@Suite struct ResultRowsTests {
    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func becomesWhatTheQueryWouldRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<60 {
            var query = Query<Volume>.where(RandomCondition.make(&random, depth: 2).query)
            for order in RandomOrder.make(&random) { query = order.sorted(query) }
            if random.below(2) == 0 { query = query.limit(random.below(12)) }
            let name: Comment = "seed \(seed), query \(number)"
            let evaluator = try QueryEvaluator(query)
            var volumes: [Volume.ID: Volume] = [:]
            for volume in RandomVolumes.make(30, &random) { volumes[volume.id] = volume }
            var kept = try Self.read(volumes, query, evaluator)
            for _ in 0..<12 {
                var touched: [(id: Volume.ID, entity: Volume?)] = []
                for _ in 0...random.below(4) {
                    let code = "v\(100 + random.below(200))".replacing("v1", with: "v0")
                    let volume = RandomVolumes.make(code, &random)
                    if touched.contains(where: { $0.id == volume.id }) { continue }
                    volumes[volume.id] = random.below(3) == 0 ? nil : volume
                    touched.append((volume.id, volumes[volume.id]))
                }
                let old = kept
                let expected = try Self.read(volumes, query, evaluator)
                switch try kept.update(with: touched) {
                case .same: #expect(old.isSame(as: expected), name)
                case .changed: #expect(kept.isSame(as: expected), name)
                case .unknown:
                    // Only behind the end of a full result there is something unknown.
                    #expect(old.rows.count == query.maximum, name)
                    kept = expected
                }
                let changes = RowDifference(old.rows, kept.rows).changes
                #expect(
                    Self.applied(changes, to: old.rows.map(\.entity)) == kept.rows.map(\.entity),
                    name)
            }
        }
    }

    @Test func movesAsLittleAsItCan() throws {
        var random = SeededGenerator(seed: 21)
        let evaluator = try QueryEvaluator(Query<Volume>.all)
        for count in 0..<7 {
            for _ in 0..<20 {
                let rows = try RandomVolumes.make(count, &random).map {
                    ResultRow(
                        $0, try StoredValueEncoder.values(of: $0, VolumeMapper.self), evaluator)
                }
                let shuffled = rows.shuffled(using: &random)
                let changes = RowDifference(rows, shuffled).changes
                let order = shuffled.map { row in
                    rows.firstIndex { $0.entity.id == row.entity.id } ?? 0
                }
                #expect(changes.count == count - Self.longestRising(order), "\(order)")
                #expect(
                    Self.applied(changes, to: rows.map(\.entity)) == shuffled.map(\.entity))
            }
        }
    }

    private static func read(
        _ volumes: [Volume.ID: Volume], _ query: Query<Volume>, _ evaluator: QueryEvaluator
    ) throws -> ResultRows<Volume> {
        let rows = try volumes.values.map {
            (try StoredValueEncoder.values(of: $0, VolumeMapper.self), $0)
        }
        let results = evaluator.results(of: rows.map(\.0)).compactMap { values in
            rows.first { $0.0[0] == values[0] }.map { ResultRow($0.1, values, evaluator) }
        }
        return ResultRows(results, of: query, evaluator)
    }

    /// The length of the longest rising subsequence, by trying all.
    private static func longestRising(_ values: [Int]) -> Int {
        (0..<(1 << values.count)).map { chosen in
            let part = values.indices.filter { chosen >> $0 & 1 == 1 }.map { values[$0] }
            return part == part.sorted() ? part.count : 0
        }.max() ?? 0
    }

    private static func applied(
        _ changes: [QueryChange<Volume>], to old: [Volume]
    ) -> [Volume] {
        var old: [Volume?] = old
        var coming: [(Volume, Int)] = []
        for change in changes {
            switch change {
            case .update(let volume, let index): old[index] = volume
            case .delete(_, let index): old[index] = nil
            case .insert(let volume, let index): coming.append((volume, index))
            case .move(let volume, let from, let to):
                old[from] = nil
                coming.append((volume, to))
            }
        }
        var new = old.compactMap(\.self)
        for (volume, index) in coming.sorted(by: { $0.1 < $1.1 }) { new.insert(volume, at: index) }
        return new
    }
}
