import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

/// Tables of another program that become those of a library.
@Suite struct TakeOverTests {
    /// Tables as another program declares them: with types of its own, a view, and an index.
    private static let tables = """
        CREATE TABLE authors (
            id CHAR(36) PRIMARY KEY NOT NULL, born BIGINT, name VARCHAR(80) NOT NULL);
        CREATE TABLE clients (
            id VARCHAR(20) PRIMARY KEY NOT NULL, name TEXT NOT NULL, email VARCHAR NOT NULL UNIQUE,
            joined_at BIGINT NOT NULL, address TEXT);
        CREATE INDEX clients_name ON clients (name);
        CREATE VIEW names AS SELECT name FROM clients;
        CREATE TABLE unrelated (a, b);
        INSERT INTO authors VALUES ('ABCDEF00-0000-4000-8000-0000000000D1', -1, 'A'),
            ('ABCDEF00-0000-4000-8000-0000000000D2', NULL, 'B');
        INSERT INTO clients VALUES ('c1', 'Anna', 'a@x', 1795361330000000, NULL),
            ('c2', 'Bob', 'b@x', 1795361330000001, '{"street":"S","city":"C"}');
        INSERT INTO unrelated VALUES (1, 'x');
        """

    private static let contents = [
        "SELECT id, born, name, typeof(born) FROM authors ORDER BY id",
        "SELECT id, name, email, joined_at, address FROM clients ORDER BY id",
        "SELECT * FROM names ORDER BY name", "SELECT * FROM unrelated",
    ]

    private func contents(_ path: String) throws -> [[[String]]] {
        let database = try PlainDatabase(path)
        return try Self.contents.map { try database.rows($0) }
    }

    private func takeOver(_ library: Library, _ backup: String) async throws {
        for try await _ in library.takeOver(backup: URL(filePath: backup)) {}
    }

    /// Calls `body` with a folder and the path of the database in it.
    private func withTables(
        _ more: String = "", _ body: (String, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try PlainDatabase(path).run(Self.tables + more)
            try await body(folder, path)
        }
    }

    @Test func tablesBecomeThoseOfTheStoreWithTheirRows() async throws {
        try await withTables { folder, path in
            let before = try contents(path)
            try await takeOver(Library(SQLiteStore(path: path)), folder + "/before.sqlite")
            #expect(try contents(path) == before)
            let copy = folder + "/before.sqlite"
            #expect(try contents(copy) == before)
            let declared = "SELECT sql FROM sqlite_schema WHERE name = 'clients'"
            #expect(try PlainDatabase(copy).value(declared)?.contains("VARCHAR(20)") == true)
            #expect(try PlainDatabase(path).value(declared)?.contains("STRICT") == true)
            #expect(try PlainDatabase(path).value("PRAGMA integrity_check") == "ok")
            // Later openings are like those of any store, and copy nothing.
            let library = Library(SQLiteStore(path: path))
            #expect(try await library.clients.read("c1").name == "Anna")
            #expect(try await library.clients.find(email: "b@x")?.name == "Bob")
            let author = try #require(try await library.authors.fetch().last)
            try await library.books.create(
                Book(isbn: "0000000001", title: "T", pages: 1, authorID: author.id))
            await #expect(throws: CRUDRepositoryError.self) {
                try await library.authors.delete(author.id)
            }
            #expect(try await library.check().problems == [])
            try await takeOver(Library(SQLiteStore(path: path)), folder + "/again.sqlite")
            #expect(!FileManager.default.fileExists(atPath: folder + "/again.sqlite"))
        }
    }

    @Test func withoutTheCallTheTablesAreRefused() async throws {
        try await withTables { folder, path in
            let bytes = try Data(contentsOf: URL(filePath: path))
            try await expectError(.schemaMismatch) {
                _ = try await Library(SQLiteStore(path: path)).clients.count()
            }
            try await expectError(.schemaMismatch) {
                for try await _ in Library(SQLiteStore(path: path)).migrate(
                    backup: URL(filePath: folder + "/copy.sqlite"))
                {}
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(!FileManager.default.fileExists(atPath: folder + "/copy.sqlite"))
        }
    }

    @Test(arguments: [
        ("ALTER TABLE clients ADD COLUMN phone TEXT", "the column 'phone' of 'clients'"),
        (
            "CREATE TRIGGER stamp AFTER UPDATE ON clients BEGIN SELECT 1; END",
            "the trigger 'stamp' of 'clients' would be lost"
        ),
        ("CREATE UNIQUE INDEX one ON clients (name)", "a unique index over 'name' of 'clients'"),
        (
            "CREATE UNIQUE INDEX some ON clients (email) WHERE name > 'x'",
            "a unique index over 'email' of 'clients'"
        ),
        ("UPDATE clients SET name = x'00' WHERE id = 'c1'", "values that are not text"),
        ("UPDATE authors SET born = 'soon'", "values that are not dates"),
        ("UPDATE authors SET born = 1.5", "values that are not dates"),
        (
            "DROP TABLE authors; CREATE TABLE authors (id TEXT, born INTEGER, name TEXT NOT NULL)",
            "the id of 'authors' is neither its key nor unique"
        ),
        (
            "DROP TABLE authors; CREATE TABLE authors (id TEXT PRIMARY KEY, born INTEGER, name TEXT); INSERT INTO authors VALUES ('x', 1, NULL)",
            "the column 'name' of 'authors' is declared as required, and is null"
        ),
        (
            "DROP TABLE authors; CREATE TABLE authors (id TEXT PRIMARY KEY, born INTEGER REFERENCES unrelated (a), name TEXT NOT NULL)",
            "the foreign key of 'born' in 'authors'"
        ),
        (
            "DROP TABLE authors; CREATE VIEW authors AS SELECT 'x' AS id, 1 AS born, 'n' AS name",
            "'authors' is no table"
        ),
        (
            "DROP TABLE authors; CREATE TABLE authors (id TEXT PRIMARY KEY, born INTEGER AS (1), name TEXT NOT NULL)",
            "the column 'born' of 'authors' is computed"
        ),
    ])
    func whatWouldBeLostIsNamed(sql: String, message: String) async throws {
        try await withTables(sql) { folder, path in
            let bytes = try Data(contentsOf: URL(filePath: path))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await takeOver(Library(SQLiteStore(path: path)), folder + "/copy.sqlite")
            }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.localizedDescription.contains(message) == true, "\(error as Any)")
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            #expect(!FileManager.default.fileExists(atPath: folder + "/copy.sqlite"))
        }
    }

    @Test func aCopyThatCannotBeMadeAndABrokenReferenceChangeNothing() async throws {
        let loans = """
            CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT,
                tags TEXT NOT NULL, pages INTEGER NOT NULL, price INTEGER NOT NULL,
                status TEXT NOT NULL, shelf TEXT, author_id TEXT NOT NULL,
                updated_at INTEGER NOT NULL, revision INTEGER NOT NULL);
            INSERT INTO books VALUES ('0000000001', 'T', NULL, '[]', 1, 0, 'available', NULL,
                'ABCDEF00-0000-4000-8000-0000000000D9', 1, 1);
            """
        try await withTables(loans) { folder, path in
            let before = try contents(path)
            let copy = folder + "/copy.sqlite"
            try Data("mine".utf8).write(to: URL(filePath: copy))
            try await expectError(.databaseError) {
                try await takeOver(Library(SQLiteStore(path: path)), copy)
            }
            #expect(try Data(contentsOf: URL(filePath: copy)) == Data("mine".utf8))
            // The author of the book is not there.
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await takeOver(Library(SQLiteStore(path: path)), folder + "/other.sqlite")
            }
            #expect(error?.message.contains("'books' refer to records") == true, "\(error as Any)")
            #expect(try contents(path) == before)
            let declared = "SELECT sql FROM sqlite_schema WHERE name = 'clients'"
            #expect(try PlainDatabase(path).value(declared)?.contains("VARCHAR(20)") == true)
            #expect(
                try PlainDatabase(path).rows(
                    "SELECT name FROM sqlite_schema WHERE name LIKE 'repository%'") == [])
        }
    }
}
