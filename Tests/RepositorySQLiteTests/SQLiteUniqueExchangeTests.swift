import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite
@testable import RepositoryTesting

/// Exchanges of unique values that depend on how SQLite stores them.
@Suite struct SQLiteUniqueExchangeTests {
    private let schema = StoreSchema("Slots", [Slot.self])

    /// A slot in which every field has a value of its own.
    private func slot(_ id: Int, _ number: Int, next: Int) -> Slot {
        Slot(
            id: .init(id), number: number, weight: Double(number) / 2, data: Data([UInt8(number)]),
            moment: Date(timeIntervalSince1970: Double(number)), uuid: slotUUIDs[number],
            isOpen: number == 1, name: "Name \(number)", next: .init(next))
    }

    private let slotUUIDs = (0..<5).map { _ in UUID() }

    @Test func requiredColumnsOfEveryTypeAreExchanged() async throws {
        for isInMemory in [true, false] {
            try await withFolder { folder in
                let store =
                    isInMemory ? SQLiteStore.inMemory() : SQLiteStore(path: folder + "/a.sqlite")
                try await store.open(schema)
                try await store.createAll([slot(1, 1, next: 2), slot(2, 2, next: 1)])
                let swapped = [slot(1, 2, next: 1), slot(2, 1, next: 2)]
                try await #expect(store.saveAll(swapped) == swapped)
                try await #expect(store.page(Slot.self, after: nil, limit: 9) == swapped)
                let again = [slot(2, 2, next: 1), slot(1, 1, next: 2)]
                let transaction = try await store.begin()
                try await #expect(transaction.saveAll(again) == again)
                try await transaction.commit()
                try await #expect(
                    store.page(Slot.self, after: nil, limit: 9) == Array(again.reversed()))
            }
        }
    }

    @Test func checksApplyAgainAfterwards() async throws {
        try await withFolder { folder in
            let path = folder + "/a.sqlite"
            let store = SQLiteStore(path: path)
            try await store.open(schema)
            try await store.createAll([slot(1, 1, next: 2), slot(2, 2, next: 1)])
            _ = try await store.saveAll([slot(1, 2, next: 1), slot(2, 1, next: 2)])
            await #expect(throws: (any Error).self) {
                try await store.sql("UPDATE slots SET isOpen = 7 WHERE id = 1")
            }
            // A failed exchange leaves neither temporary values nor the pragma.
            try await expectError(.constraintViolated) {
                _ = try await store.saveAll([slot(1, 1, next: 4), slot(2, 2, next: 1)])
            }
            await #expect(throws: (any Error).self) {
                try await store.sql("UPDATE slots SET isOpen = 7 WHERE id = 1")
            }
            let other = try PlainDatabase(path)
            #expect(try other.rows("SELECT number FROM slots ORDER BY id") == [["2"], ["1"]])
            #expect(try other.value("PRAGMA integrity_check") == "ok")
            #expect(try other.rows("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func unmanagedTablesAreWrittenInOrder() async throws {
        try await withFolder { folder in
            let path = folder + "/a.sqlite"
            let other = try PlainDatabase(path)
            let table = Slot.Mapper.table.reformed(managed: false) { _ in nil }
            let schema = StoreSchema("Slots", [table])
            let text = SQLSchemaText(SQLTable(table, in: schema), SQLiteDialect())
            try other.run(text.createTable())
            for index in table.indexes { try other.run(text.createIndex(index)) }
            try other.run("CREATE TABLE seen (number INTEGER)")
            try other.run(
                "CREATE TRIGGER watch AFTER UPDATE ON slots BEGIN INSERT INTO seen VALUES (NEW.number); END"
            )
            let store = SQLiteStore(path: path)
            try await store.open(schema)
            try await store.createAll([
                slot(1, 1, next: 1), slot(2, 2, next: 2), slot(3, 3, next: 3),
            ])
            let moved = [slot(1, 2, next: 2), slot(2, 3, next: 3), slot(3, 4, next: 1)]
            // A cycle over `next` alone is one, too.
            let cycle = try await expectError(.unsupported) { _ = try await store.saveAll(moved) }
            #expect(cycle.table == "slots")
            let chain = [slot(1, 2, next: 1), slot(2, 3, next: 2), slot(3, 4, next: 3)]
            try await #expect(store.saveAll(chain) == chain)
            // The triggers of another program see only values that are stored in the end.
            #expect(try other.rows("SELECT number FROM seen") == [["4"], ["3"], ["2"]])
            try await expectError(.constraintViolated) {
                _ = try await store.saveAll([slot(2, 4, next: 2), slot(1, 1, next: 1)])
            }
            try await #expect(store.page(Slot.self, after: nil, limit: 9) == chain)
        }
    }

    @Test func ordersReleaseValuesFirst() throws {
        func order(_ moves: [(from: Int?, to: Int)]) throws -> UniqueRelease<Int>.Order {
            var release = UniqueRelease<Int>(Slot.Mapper.table)
            for (place, move) in moves.enumerated() {
                release.add(
                    id: place,
                    from: try move.from.map {
                        try StoredValueEncoder.values(
                            of: slot(place, $0, next: place), SlotMapper.self)
                    },
                    to: try StoredValueEncoder.values(
                        of: slot(place, move.to, next: place), SlotMapper.self))
            }
            return release.order()
        }
        #expect(try order([(1, 2), (2, 3), (3, 4)]) == .sorted([2, 1, 0]))
        #expect(try order([(1, 2), (2, 1)]) == .cycle)
        #expect(try order([(2, 3), (1, 2)]) == .unchanged)
        #expect(try order([(nil, 1), (1, 2)]) == .sorted([1, 0]))
        #expect(try order([(1, 1), (2, 2)]) == .unchanged)
        #expect(try order([]) == .unchanged)
    }
}

/// A record whose fields are required, and unique except for two.
private struct Slot: Entity {
    typealias ID = EntityID<Slot, Int>
    typealias Mapper = SlotMapper

    let id: ID
    var number: Int
    var weight: Double
    var data: Data
    var moment: Date
    var uuid: UUID
    var isOpen: Bool
    var name: String
    var next: ID
}

private enum SlotMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("slots", entity: "Slot")
        table.field("id", .int64, key: true)
        table.field("number", .int64, rules: FieldRules(minimum: .integer(0), maximum: .integer(9)))
        table.field("weight", .double)
        table.field("data", .data, rules: FieldRules(maxLength: 1))
        table.field("moment", .date)
        table.field("uuid", .uuid)
        table.field("isOpen", .bool)
        table.field("name", .text, rules: FieldRules(maxLength: 8), ignoringCase: true)
        table.field("next", .int64, reference: TableReference("slots"))
        for name in ["number", "weight", "data", "moment", "uuid", "next"] {
            table.index("slots_\(name)", [name], unique: true)
        }
        table.index("slots_pair", ["weight", "number"], unique: true)
        return table
    }

    static func encode<E: FieldEncoder>(_ slot: Slot, to fields: inout E) throws {
        try fields.encode(slot.id, at: 0)
        try fields.encode(slot.number, at: 1)
        try fields.encode(slot.weight, at: 2)
        try fields.encode(slot.data, at: 3)
        try fields.encode(slot.moment, at: 4)
        try fields.encode(slot.uuid, at: 5)
        try fields.encode(slot.isOpen, at: 6)
        try fields.encode(slot.name, at: 7)
        try fields.encode(slot.next, at: 8)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Slot {
        try Slot(
            id: fields.decode(Slot.ID.self, at: 0), number: fields.decode(Int.self, at: 1),
            weight: fields.decode(Double.self, at: 2), data: fields.decode(Data.self, at: 3),
            moment: fields.decode(Date.self, at: 4), uuid: fields.decode(UUID.self, at: 5),
            isOpen: fields.decode(Bool.self, at: 6), name: fields.decode(String.self, at: 7),
            next: fields.decode(Slot.ID.self, at: 8))
    }
}
