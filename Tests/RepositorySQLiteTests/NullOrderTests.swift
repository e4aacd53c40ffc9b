import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositorySQLite
@testable import RepositoryTesting

/// Null is the smallest value: first where a key ascends, last where it descends. The places that compare values are listed
/// here; each is asked with every type.
@Suite struct NullOrderTests {
    private static let values: [(StoredType, StoredValue)] = [
        (.bool, .bool(false)), (.int64, .integer(.min)), (.int8, .integer(-128)),
        (.double, .double(-.greatestFiniteMagnitude)), (.float, .double(-1e38)),
        (.decimal(scale: nil), .decimal(-.greatestFiniteMagnitude)),
        (.decimal(scale: 2), .decimal(-1)),
        (.date, .date(Date(timeIntervalSinceReferenceDate: -9.1e12))), (.text, .text("")),
        (.url, .text("")), (.data, .data(Data())),
        (.uuid, .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))),
    ]

    private func key(_ value: StoredValue, _ type: StoredType, descending: Bool) -> IndexKey {
        var writer = IndexKeyWriter()
        writer.append(value, type, descending: descending)
        return IndexKey(writer.bytes)
    }

    private static func table(_ type: StoredType, descending: Bool) -> EntityTable {
        var table = EntityTable("t", entity: "T")
        table.field("id", .text, key: true)
        table.field("value", type, optional: true)
        table.index("by_value", [descending ? "-value" : "value"])
        return table
    }

    @Test(arguments: [false, true])
    func isTheSmallestForEveryComparer(descending: Bool) {
        for (type, value) in Self.values {
            #expect(StoredValue.null < value, "\(type)")
            #expect(!(value < .null), "\(type)")
            // Keys of indexes, which memory and documents walk.
            let (null, other) = (
                key(.null, type, descending: descending), key(value, type, descending: descending)
            )
            #expect((null < other) == !descending && (other < null) == descending, "\(type)")
            // Keys of sorting in the runtime.
            let table = Self.table(type, descending: descending)
            let order = RowOrder(
                [SortKey(path: FieldPath(1), direction: descending ? .descending : .ascending)],
                table)
            let (first, second) = (
                order.key(of: [.text("a"), .null]), order.key(of: [.text("a"), value])
            )
            #expect((first < second) == !descending, "\(type)")
            // Scans that are sorted after they were found, forwards and from the end.
            for isReversed in [false, true] {
                let scan = IndexScanOrder(IndexScan(0, isReversed: isReversed), table)
                let comes = scan.precedes([.null, .text("a")], [value, .text("a")])
                #expect(comes == (descending == isReversed), "\(type)")
                let reverse = scan.precedes([value, .text("a")], [.null, .text("a")])
                #expect(reverse != comes, "\(type)")
            }
            // Null lies above no bound and below every one; no comparison with it holds.
            let below = IndexScanOrder(
                IndexScan(0, upper: .init(value, isIncluded: false)), table)
            #expect(below.contains([.text("a"), .null]), "\(type)")
            let above = IndexScanOrder(
                IndexScan(0, lower: .init(value, isIncluded: true)), table)
            #expect(!above.contains([.text("a"), .null]), "\(type)")
            for comparison in [
                ConditionTree.Comparison.less, .lessOrEqual, .greater, .greaterOrEqual,
            ] {
                #expect(
                    !ConditionTree.compare(FieldPath(1), comparison, value)
                        .matches([.text("a"), .null]))
                let constraint = FieldConstraint(
                    FieldPath(1), type, in: [.compare(FieldPath(1), comparison, value)])
                #expect(constraint.lower != nil, "Null must be excluded: \(type)")
            }
        }
    }

    /// The evaluator and what stores answer, SQL included.
    @Test func isTheSmallestForEveryStore() async throws {
        let stores: [any EntityStore] = [ReferenceStore(), InMemoryStore(), SQLiteStore.inMemory()]
        for store in stores {
            let repository = Conformance.plain(store, fullScans: .allow).sparses
            var record = Sparse(id: "b")
            record.int = .min
            record.string = ""
            record.double = -.greatestFiniteMagnitude
            record.date = Date(timeIntervalSinceReferenceDate: -9.1e12)
            record.money = -1
            record.decimal = -1
            record.bool = false
            record.data = Data()
            try await repository.createAll([Sparse(id: "a"), record, Sparse(id: "c")])
            for field in [
                Sparse.Fields().int.queryPath, Sparse.Fields().string.queryPath,
                Sparse.Fields().double.queryPath, Sparse.Fields().date.queryPath,
                Sparse.Fields().money.queryPath, Sparse.Fields().decimal.queryPath,
                Sparse.Fields().bool.queryPath, Sparse.Fields().data.queryPath,
            ] {
                for (direction, ids) in [
                    (SortDirection.ascending, ["a", "c", "b"]), (.descending, ["b", "a", "c"]),
                ] {
                    let query = Query<Sparse>(
                        Condition(.constant(true)),
                        sortKeys: [SortKey(path: field, direction: direction)])
                    let found = try await repository.fetch(query).map(\.id.rawValue)
                    #expect(found == ids, "\(store.name), \(field)")
                    let evaluator = try QueryEvaluator(query)
                    let rows = try await repository.fetch().map {
                        try StoredValueEncoder.values(of: $0, SparseMapper.self)
                    }
                    let results = evaluator.results(of: rows).map { $0[0] }
                    #expect(results == ids.map { .text($0) }, "\(field)")
                }
            }
        }
    }
}
