import CSQLite
import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite

/// Columns and tables that another program renames or drops while a store is open.
@Suite struct SQLiteVanishedColumnTests {
    private static let statements = [
        "ALTER TABLE authors RENAME COLUMN name TO label",
        "ALTER TABLE authors RENAME TO writers",
    ]

    @Test(arguments: statements)
    func nothingIsInventedOrDeleted(statement: String) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let library = Library(store)
            let author = try await library.authors.create(Author(name: "Anna"))
            let snapshot = Library(try await store.snapshot())
            #expect(try await library.authors.fetch().map(\.name) == ["Anna"])
            let other = try PlainDatabase(path)
            try other.run(statement)

            let errors = [
                try await expectError(.schemaMismatch) {
                    _ = try await library.authors.read(author.id)
                },
                try await expectError(.schemaMismatch) { _ = try await library.authors.fetch() },
                try await expectError(.schemaMismatch) {
                    _ = try await library.authors.fetch(.where { $0.name == "name" })
                },
                try await expectError(.schemaMismatch) {
                    _ = try await library.authors.deleteAll(.where { $0.name == "name" })
                },
                try await expectError(.schemaMismatch) {
                    _ = try await library.authors.update(author)
                },
                try await expectError(.schemaMismatch) {
                    _ = try await library.authors.save(author)
                },
                try await expectError(.schemaMismatch) {
                    try await library.authors.create(Author(name: "B"))
                },
                try await expectError(.schemaMismatch) {
                    try await library.transaction { library in
                        _ = try await library.authors.deleteAll(.where { $0.name == "name" })
                    }
                },
            ]
            for error in errors {
                #expect(error.table == "authors")
                let name = statement.contains("COLUMN") ? "column 'name'" : "table 'authors'"
                #expect(error.message.contains(name), "\(error)")
            }
            // The state of the snapshot is from before.
            #expect(try await snapshot.authors.fetch().map(\.name) == ["Anna"])
            let table = statement.contains("COLUMN") ? "authors" : "writers"
            #expect(try other.value("SELECT count(*) FROM \(table)") == "1")
        }
    }

    @Test func ownStatementsTakeNoNameForText() async throws {
        try await withFolder { folder in
            for store in [SQLiteStore.inMemory(), SQLiteStore(path: folder + "/data.sqlite")] {
                let library = Library(store)
                try await library.authors.create(Author(name: "Anna"))
                for text in [
                    #"SELECT "nick" FROM authors"#, #"DELETE FROM authors WHERE "nick" = 'nick'"#,
                    #"CREATE INDEX i ON authors ("nick")"#,
                ] {
                    try await expectError(.databaseError) { try await store.sql("\(raw: text)") }
                }
                let code = try await store.withConnection {
                    sqlite3_exec(
                        $0.pointer, #"DELETE FROM authors WHERE "nick" = 'nick'"#, nil, nil, nil)
                }
                #expect(code == SQLITE_ERROR)
                #expect(try await library.authors.count() == 1)
            }
        }
    }

    @Test func itemsOfARenamedColumnAreNotInvented() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let repository = SQLiteRepository(
                tableName: "items", path: path, dataTransformer: JSONDataTransformer())
            try await repository.create(id: "data", item: "value")
            try PlainDatabase(path).run("ALTER TABLE items RENAME COLUMN data TO bytes")
            try await expectError(.schemaMismatch) {
                let _: String = try await repository.read(id: "data")
            }
            try await expectError(.schemaMismatch) {
                try await repository.update(id: "data", item: "other")
            }
            try PlainDatabase(path).run("ALTER TABLE items RENAME COLUMN bytes TO data")
            #expect(try await repository.read(id: "data") == "value")
        }
    }

    /// SQLite reads definitions that are stored already as it always did.
    @Test func definitionsThatHoldTextInDoubleQuotesStayUsable() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let table = Author.Mapper.table
            let schema = StoreSchema("Authors", [table])
            var text = SQLSchemaText(SQLTable(table, in: schema), SQLiteDialect()).createTable()
            let end = try #require(text.range(of: "PRIMARY KEY"))
            text.replaceSubrange(
                end.lowerBound..<end.lowerBound, with: #"CHECK ("name" <> "forbidden"), "#)
            let other = try PlainDatabase(path)
            try other.run(text)
            try other.run(#"CREATE INDEX plain ON authors ("name") WHERE "name" <> "nothing""#)
            let store = SQLiteStore(path: path)
            let repository = AuthorRepository(RepositoryContext(store: store, schema: schema))
            try await repository.create(Author(name: "Anna"))
            #expect(try await repository.fetch().map(\.name) == ["Anna"])
            try await expectError(.constraintViolated) {
                try await repository.create(Author(name: "forbidden"))
            }
        }
    }

    @Test func pathsHoldNoNull() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await expectError(.unsupported) {
                try await Library(SQLiteStore(path: path + "\u{0}.other")).open()
            }
            let repository = SQLiteRepository(
                tableName: "items", path: path + "\u{0}.other",
                dataTransformer: JSONDataTransformer())
            try await expectError(.unsupported) { try await repository.create(id: "a", item: "b") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }
}
