import Foundation
import Generated
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime

/// A database that a program wrote which described each set by itself: `Tests/EarlierStores/Format1`.
@Suite struct SQLiteEarlierStoreTests {
    @Test func descriptionIsTakenOver() async throws {
        try await withFolder { folder in
            let path = folder + "/library.sqlite"
            let earlier = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
                .appending(path: "EarlierStores/Format1/library.sqlite")
            try FileManager.default.copyItem(at: earlier, to: URL(fileURLWithPath: path))
            let library = Library(SQLiteStore(path: path))
            #expect(try await library.books.count() == 2)
            #expect(try await library.clients.find(email: "ada@example.org")?.id == "client")
            let plain = try PlainDatabase(path)
            #expect(try plain.rows("SELECT name FROM repository_schema") == [[""]])
            // A program that only knows format 1 reads every row, and refuses this one.
            let json = try #require(
                try plain.rows("SELECT description FROM repository_schema").first?.first)
            #expect(throws: CRUDRepositoryError.self) {
                try SchemaDescription(json: Data(json.utf8), store: "SQLite")
            }
            #expect(try await Library(SQLiteStore(path: path)).loans.count() == 1)
            try await library.reset()
            #expect(try plain.rows("SELECT name FROM sqlite_schema") == [])
        }
    }

    /// A running older program goes on beside a new optional column, and keeps out of what it would break.
    @Test func olderPrograms() async throws {
        func schema(_ change: (inout EntityTable) -> Void) -> StoreSchema {
            var table = EntityTable("books", entity: "Book")
            table.field("id", .text, key: true)
            change(&table)
            return StoreSchema("Set", [table])
        }
        func shelf(_ names: [String]) -> StoredType {
            .object(FieldLayout("Shelf", names.map { FieldDescription($0, .text, optional: true) }))
        }
        let column = schema {
            $0.field("shelf", shelf(["room"]))
            $0.field("note", .text, optional: true)
            $0.index("by_note", ["note"])
        }
        let member = schema {
            $0.field("shelf", shelf(["room", "row"]))
        }
        let stored = SchemaDescription(column, form: .columns)
        let older = schema { $0.field("shelf", shelf(["room"])) }
        let columns = StoreDescription(merging: [stored], preferring: "Set")
        #expect(try columns.misfits(of: older, form: .columns) == [])
        #expect(try !columns.misfits(of: older, form: .documents).isEmpty)
        let members = StoreDescription(
            merging: [SchemaDescription(member, form: .columns)], preferring: "Set")
        #expect(
            try members.misfits(of: older, form: .columns).map(\.description)
                == ["'row' in the field 'shelf' of 'books' is stored and not declared"])
    }
}
