import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Ids that the store gives in tables of other programs, and beside other programs.
@Suite struct SQLiteAssignedIDTests {
    private func draft(_ text: String) -> RecordDraft<Bill> {
        var draft = RecordDraft<Bill>()
        draft.text = text
        return draft
    }

    @Test func autoincrementTablesCountThemselves() async throws {
        try await withFolder { folder in
            let path = folder + "/a.sqlite"
            let other = try PlainDatabase(path)
            try other.run(
                "CREATE TABLE bills (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL)")
            try other.run("INSERT INTO bills (text) VALUES ('a'), ('b'), ('c')")
            try other.run("DELETE FROM bills WHERE id > 1")
            let bills = Bills(SQLiteStore(path: path)).bills
            try await #expect(bills.create(draft("d")).id == 4)
            try await bills.delete(4)
            try other.run("INSERT INTO bills (text) VALUES ('e')")
            #expect(try other.value("SELECT max(id) FROM bills") == "5")
            try await #expect(bills.createAll([draft("f"), draft("g")]).map(\.id) == [6, 7])
            try await bills.create(Bill(id: 20, text: "h"))
            try await bills.delete(20)
            try other.run("INSERT INTO bills (text) VALUES ('i')")
            try await #expect(bills.create(draft("j")).id == 22)
            // The database of the other program gets no table for it.
            let tables = try other.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
            #expect(!tables.joined().contains("repository_ids"))
        }
    }

    @Test func otherTablesOfOthersForgetTheirIDs() async throws {
        try await withFolder { folder in
            let path = folder + "/a.sqlite"
            let other = try PlainDatabase(path)
            try other.run("CREATE TABLE bills (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            let bills = Bills(SQLiteStore(path: path)).bills
            let error = try await expectError(.unsupported) { try await bills.create(draft("a")) }
            #expect(error.table == "bills")
            try await #expect(bills.create(Bill(id: 3, text: "b")).id == 3)
        }
    }

    @Test func aMissingCounterFollowsTheRecords() async throws {
        try await withFolder { folder in
            let path = folder + "/a.sqlite"
            let receipts = Receipts(SQLiteStore(path: path)).receipts
            for text in ["a", "b", "c"] {
                var draft = RecordDraft<Receipt>()
                draft.text = text
                try await receipts.create(draft)
            }
            let other = try PlainDatabase(path)
            try other.run("DELETE FROM repository_ids")
            var draft = RecordDraft<Receipt>()
            draft.text = "d"
            try await #expect(receipts.create(draft).id == 4)
        }
    }
}

/// A record in a table of another program.
private struct Bill: Entity {
    typealias ID = EntityID<Bill, Int>
    typealias Mapper = BillMapper
    typealias Fields = BillFields

    let id: ID
    var text: String
}

private struct BillFields: QueryFields {
    typealias QueryRoot = Bill

    var text: QueryField<Bill, String> { .init(1) }
}

private enum BillMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("bills", entity: "Bill", managed: false)
        table.field("id", .int64, key: true)
        table.assigned("id")
        table.field("text", .text)
        return table
    }

    static func encode<E: FieldEncoder>(_ bill: Bill, to fields: inout E) throws {
        try fields.encode(bill.id, at: 0)
        try fields.encode(bill.text, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Bill {
        try Bill(id: fields.decode(Bill.ID.self, at: 0), text: fields.decode(String.self, at: 1))
    }
}

private struct BillRepository: EntityRepository {
    typealias Model = Bill

    let context: RepositoryContext

    init(_ context: RepositoryContext) { self.context = context }
}

private struct Bills: RepositorySet {
    static let schema = StoreSchema("Bills", [Bill.self])

    let context: RepositoryContext

    init(context: RepositoryContext) { self.context = context }

    var bills: BillRepository { BillRepository(context) }
}
