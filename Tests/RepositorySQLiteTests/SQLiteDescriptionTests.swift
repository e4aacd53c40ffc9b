import Foundation
import Generated
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite struct SQLiteDescriptionTests {
    /// Programs before the first release described each set in a row of its own.
    @Test func anotherFormatIsRefused() async throws {
        try await withFolder { folder in
            let path = folder + "/library.sqlite"
            let library = Library(SQLiteStore(path: path))
            try await library.open()
            let plain = try PlainDatabase(path)
            for (format, name) in [(1, "Library"), (2, ""), (99, "")] {
                try plain.run(
                    "UPDATE repository_schema SET name = '\(name)', description = '{\"format\": \(format), \"tables\": []}'"
                )
                let content = "SELECT * FROM repository_schema"
                let before = try plain.rows(content)
                let error = try await expectError(.schemaMismatch) {
                    try await Library(SQLiteStore(path: path)).open()
                }
                let writer =
                    format < 4 ? "an unreleased version of this package" : "a newer program"
                #expect(error.message.contains("written by \(writer)"), "\(error.message)")
                await #expect(throws: CRUDRepositoryError.self) {
                    try await Library(SQLiteStore(path: path)).reset()
                }
                #expect(try plain.rows(content) == before)
                #expect(try plain.value("SELECT count(*) FROM books") == "0")
            }
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
        let older = schema { $0.field("shelf", shelf(["room"])) }
        let columns = SchemaOpening(column, in: nil, form: .columns).result
        #expect(try columns.misfits(of: older, form: .columns) == [])
        #expect(try !columns.misfits(of: older, form: .documents).isEmpty)
        let members = SchemaOpening(member, in: nil, form: .columns).result
        #expect(
            try members.misfits(of: older, form: .columns).map(\.description)
                == ["'row' in the field 'shelf' of 'books' is stored and not declared"])
    }
}
