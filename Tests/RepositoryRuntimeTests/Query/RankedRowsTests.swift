import Testing

@testable import RepositoryRuntime

/// The smallest rows of many, compared with a sorted array. The seeds are the arguments.
@Suite("The first rows of an order")
struct RankedRowsTests {
    private static let table = {
        var table = EntityTable("rows", entity: "Row")
        table.field("id", .int64, key: true)
        table.field("name", .text, optional: true)
        table.field("size", .double)
        return table
    }()

    @Test("Equal those of a sorted array, also where sort values repeat", arguments: 1...8)
    func equalsSorting(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let names: [StoredValue] = [.null, .text(""), .text("a"), .text("ab"), .text("a\u{0}b")]
        let rows = (0..<2_000).map { _ -> [StoredValue] in
            let id = StoredValue.integer(Int64(random.below(1_000_000)) - 500_000)
            return [id, names[random.below(names.count)], .double(Double(random.below(40)) - 20)]
        }
        let order = RowOrder(
            [
                SortKey(
                    path: FieldPath(1), direction: random.below(2) == 0 ? .descending : .ascending),
                SortKey(path: FieldPath(2), direction: .descending),
            ], Self.table)
        let unique = Dictionary(rows.map { (order.key(of: $0), $0) }) { first, _ in first }
        let sorted = unique.sorted { $0.key < $1.key }.map(\.value)
        for capacity in [0, 1, 20, 64, 300, 5_000] {
            var ranked = RankedRows<[StoredValue]>(capacity: capacity)
            var writer = IndexKeyWriter()
            for row in unique.values { ranked.insert(row, in: order, using: &writer, row) }
            #expect(ranked.result(dropping: 0) == Array(sorted.prefix(capacity)), "\(capacity)")
        }
    }

    @Test("A key is made exactly for rows before another one", arguments: 1...8)
    func comparesWithKeys(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let order = RowOrder(
            [SortKey(path: FieldPath(2), direction: .descending)], Self.table)
        let rows = (0..<60).map { _ -> [StoredValue] in
            [.integer(Int64(random.below(9))), .null, .double(Double(random.below(3)))]
        }
        var writer = IndexKeyWriter()
        for row in rows {
            let key = order.key(of: row)
            #expect(order.key(of: row, before: nil, using: &writer) == key)
            for other in rows.map(order.key(of:)) {
                let found = order.key(of: row, before: other, using: &writer)
                #expect(found == (key < other ? key : nil))
            }
        }
    }
}
