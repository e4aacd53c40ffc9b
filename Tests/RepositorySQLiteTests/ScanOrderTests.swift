import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// A record whose index holds a composite reference and a decimal, which SQLite does not order as the runtime does.
private struct Stub: Entity {
    typealias ID = EntityID<Stub, String>
    typealias Mapper = StubMapper

    let id: ID
    var kind = "k"
    var seat: Seat.ID?
    var weight: Decimal = 0
}

private enum StubMapper: EntityMapper {
    static let table: EntityTable = {
        var table = EntityTable("stubs", entity: "Stub")
        table.field("id", .text, key: true)
        table.field("kind", .text)
        table.field(
            "seat", .composite(Seat.ID.Mapper.layout), optional: true,
            reference: TableReference("seats", onDelete: .none))
        table.field("weight", .decimal(scale: nil))
        table.index("by_seat", ["kind", "seat", "-weight"])
        table.index("by_weight", ["kind", "-weight", "-seat"])
        return table
    }()

    static func encode<E: FieldEncoder>(_ stub: Stub, to fields: inout E) throws {
        try fields.encode(stub.id, at: 0)
        try fields.encode(stub.kind, at: 1)
        try fields.encode(stub.seat, at: 2)
        try fields.encode(stub.weight, at: 3)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Stub {
        Stub(
            id: try fields.decode(Stub.ID.self, at: 0), kind: try fields.decode(String.self, at: 1),
            seat: try fields.decode(Seat.ID?.self, at: 2),
            weight: try fields.decode(Decimal.self, at: 3))
    }
}

/// Every store finds the records of a scan in the same order.
@Suite struct ScanOrderTests {
    private static let stubs: [Stub] = {
        var stubs: [Stub] = []
        let seats: [Seat.ID?] = [
            nil, Seat.ID(hallID: "a", row: 2, letter: "x"),
            Seat.ID(hallID: "a", row: 10, letter: "a"),
            Seat.ID(hallID: "B", row: 3, letter: "z"), Seat.ID(hallID: "a", row: 2, letter: "é"),
        ]
        for (number, seat) in seats.enumerated() {
            for weight in ["10", "9", "-1.5"] {
                // Ids in another order than seats, so that a tie would show.
                stubs.append(
                    Stub(
                        id: .init("\(9 - number)\(weight)"), seat: seat,
                        weight: Decimal(string: weight) ?? 0))
            }
        }
        return stubs
    }()

    private func found(
        _ store: any EntityStore, _ scan: IndexScan, size: Int
    ) async throws -> [String] {
        var ids: [String] = []
        var scan = scan
        while ids.count <= Self.stubs.count {
            let page = try await store.find(Stub.self, scan, limit: size)
            ids += page.map(\.id.rawValue)
            guard page.count == size, let last = page.last else { break }
            let row = try StoredValueEncoder.values(of: last, StubMapper.self)
            let keys = StubMapper.table.indexes[scan.index].keys
            scan.after = keys.map { row[$0.field] } + [row[0]]
        }
        return ids
    }

    @Test func isOneForAllStores() async throws {
        try await withFolder { folder in
            let stores: [any EntityStore] = [
                ReferenceStore(), InMemoryStore(),
                FileSystemStore(
                    directory: URL(fileURLWithPath: folder), transformer: JSONDataTransformer()),
                SQLiteStore.inMemory(),
            ]
            let schema = StoreSchema("Stubs", [Stub.self, Seat.self, Hall.self])
            var results: [[[String]]] = []
            for store in stores {
                try await store.open(schema)
                try await store.createAll(Self.stubs)
                var orders: [[String]] = []
                for index in 0...1 {
                    for isReversed in [false, true] {
                        for size in [100, 1, 4] {
                            let scan = IndexScan(
                                index, equal: [.text("k")], isReversed: isReversed)
                            orders.append(try await found(store, scan, size: size))
                        }
                    }
                }
                results.append(orders)
            }
            for (store, orders) in zip(stores, results) {
                #expect(orders == results[0], "\(store.name)")
                #expect(orders.allSatisfy { $0.count == Self.stubs.count }, "\(store.name)")
            }
            #expect(results[0][0] == results[0][1] && results[0][0] == results[0][2])
        }
    }
}
