import CSQLite
import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// Statements of the caller's own, the native connection, and the trace.
@Suite struct SQLiteOwnStatementTests {
    private func filled() async throws -> (SQLiteStore, Library) {
        let store = SQLiteStore.inMemory()
        let library = Library(store)
        let author = try await library.authors.create(Author(name: "A"))
        for number in 1...3 {
            try await library.books.create(
                Book(
                    isbn: Book.ID("000000000\(number)"), title: "T\(number)", tags: ["x"],
                    pages: number * 100, price: Decimal(number), authorID: author.id))
        }
        return (store, library)
    }

    @Test func valuesAreBound() async throws {
        let (store, library) = try await filled()
        let minimum = 150
        let rows = try await store.sql(
            "SELECT title, pages AS number FROM \(table: Book.self) WHERE \(column: \Book.Fields.pages) > \(minimum) ORDER BY title"
        )
        #expect(try rows.map { try $0.value(String.self, named: "title") } == ["T2", "T3"])
        #expect(try rows.map { try $0.value(Int.self, at: 1) } == [200, 300])
        let evil = "x'; DROP TABLE books; --"
        #expect(try await store.sql("SELECT 1 FROM books WHERE title = \(evil)").isEmpty)
        #expect(try await library.books.count() == 3)
        let book = try await library.books.read("0000000001")
        let found = try await store.sql(
            "SELECT * FROM books WHERE author_id = \(book.authorID) AND status = \(Status.available) AND updated_at = \(book.updatedAt) AND price = \(book.price, as: \Book.Fields.price) AND subtitle IS \(book.subtitle) AND tags = \(book.tags)",
            as: Book.self)
        #expect(found == [book])
    }

    @Test func rowsSayWhereTheyAreWrong() async throws {
        let (store, _) = try await filled()
        let row = try #require(try await store.sql("SELECT title, NULL AS gap FROM books").first)
        #expect(try row.value(String?.self, named: "gap") == nil)
        let error = try await expectError(.invalidRecord) { _ = try row.value(Int.self, at: 0) }
        #expect(error.field == "title")
        try await expectError(.invalidRecord) { _ = try row.value(Int.self, named: "pages") }
        try await expectError(.invalidRecord) { _ = try row.value(Int.self, at: 9) }
        try await expectError(.invalidRecord) {
            _ = try await store.sql("SELECT title FROM books", as: Book.self)
        }
    }

    @Test func columnsOfEntitiesMayStandInAnyOrder() async throws {
        let (store, library) = try await filled()
        let found = try await store.sql(
            "SELECT revision, updated_at, author_id, shelf, status, price, pages, tags, subtitle, title, isbn, 1 FROM books ORDER BY isbn",
            as: Book.self)
        #expect(found == (try await library.books.fetch(.all)))
    }

    @Test func writesAreCountedAndTakePartInTransactions() async throws {
        let (store, library) = try await filled()
        #expect(
            try await store.execute("UPDATE books SET pages = pages + 1 WHERE pages < 300") == 2)
        #expect(try await store.execute("SELECT * FROM books") == 0)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await library.transaction { library in
                #expect(try await store.execute("DELETE FROM books") == 3)
                #expect(try await store.sql("SELECT * FROM books").isEmpty)
                try await store.withConnection { connection in
                    #expect(sqlite3_get_autocommit(connection.pointer) == 0)
                }
                throw Stop()
            }
        }
        #expect(try await library.books.count() == 3)
        let rows = try await store.sql("DELETE FROM books WHERE pages > 250 RETURNING title")
        #expect(try rows.map { try $0.value(String.self, at: 0) } == ["T3"])
    }

    @Test(arguments: [
        "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "SELECT 1; SELECT 2", "", "-- nothing",
        "BEGIN IMMEDIATE", "ATTACH ':memory:' AS other", "DETACH temp",
        "PRAGMA query_only = OFF", "PRAGMA foreign_keys = OFF", "PRAGMA writable_schema = ON",
    ])
    func whatIsNoSingleStatementIsRefused(text: String) async throws {
        try await withFolder { folder in
            for store in [SQLiteStore.inMemory(), SQLiteStore(path: folder + "/data.sqlite")] {
                let library = Library(store)
                try await library.open()
                do {
                    try await store.sql("\(raw: text)")
                    Issue.record("\(text) was run")
                } catch let error as CRUDRepositoryError {
                    #expect([.unsupported, .databaseError].contains(error.code))
                }
                try await library.authors.create(Author(name: "A"))
                #expect(try await library.authors.count() == 1)
            }
        }
    }

    @Test(arguments: ["PRAGMA table_info(books)", "PRAGMA foreign_keys", "PRAGMA user_version = 7"])
    func otherPragmasAreRun(text: String) async throws {
        try await withFolder { folder in
            for store in [SQLiteStore.inMemory(), SQLiteStore(path: folder + "/data.sqlite")] {
                try await Library(store).open()
                let rows = try await store.sql("\(raw: text)")
                #expect(rows.isEmpty == text.contains("="))
                let version = try await store.sql("PRAGMA user_version")
                #expect((try version[0].value(Int.self, at: 0) == 7) == text.contains("="))
            }
        }
    }

    @Test func aMistakeIsReportedWithTheStatement() async throws {
        let (store, _) = try await filled()
        let error = try await expectError(.databaseError) {
            try await store.sql("SELECT nothing FROM books")
        }
        #expect((error.underlyingError as? SQLiteError)?.statement?.contains("nothing") == true)
    }

    @Test func theNativeConnectionIsLent() async throws {
        let (store, library) = try await filled()
        let count = try await store.withConnection { connection in
            sqlite3_exec(connection.pointer, "DELETE FROM books WHERE pages = 100", nil, nil, nil)
            return Int(sqlite3_changes(connection.pointer))
        }
        #expect(count == 1)
        #expect(try await library.books.count() == 2)
        try await expectError(.unsupported) {
            try await store.withConnection { connection in
                _ = sqlite3_exec(connection.pointer, "BEGIN; DELETE FROM books", nil, nil, nil)
            }
        }
        #expect(try await library.books.count() == 2)
    }

    @Test func theTraceShowsStatementsWithoutValues() async throws {
        let seen = Mutex<[SQLiteTracedStatement]>([])
        let store = SQLiteStore.inMemory { statement in seen.withLock { $0.append(statement) } }
        let library = Library(store)
        try await library.authors.create(Author(name: "secret"))
        _ = try await library.authors.fetch(.where { $0.name == "secret" })
        let statements = seen.withLock { $0 }
        #expect(!statements.contains { $0.text.contains("secret") })
        #expect(
            statements.contains { $0.text.hasPrefix("INSERT INTO \"authors\"") && $0.rows == 1 })
        #expect(
            statements.contains { $0.text.contains("WHERE \"name\" = ?1") && $0.rows == 1 })
        #expect(statements.allSatisfy { $0.duration >= .zero })
    }

    @Test func preparedStatementsAreBounded() throws {
        let connection = try SQLiteConnection(.inMemory(), .writing)
        var cache = StatementCache()
        for number in 0..<2000 {
            let text = "SELECT \(number)"
            #expect(cache.find(text) == nil)
            cache.add(try SQLiteStatement(text, on: connection.handle, isKept: true), text)
            #expect(cache.find("SELECT 0") != nil || number > 0)
        }
        #expect(cache.count <= 2 * StatementCache.generationLimit)
        for number in 0..<2000 {
            let text = "SELECT \(number)"
            _ = try connection.audited(text)
            #expect(connection.audit(of: text) != nil)
            #expect(connection.auditCount <= StatementCache.generationLimit)
        }
        #expect(cache.find("SELECT 1999") != nil)
        // To Swift the two are equal.
        cache.add(
            try SQLiteStatement("SELECT 'é'", on: connection.handle, isKept: true),
            "SELECT '\u{E9}'")
        #expect(cache.find("SELECT 'e\u{301}'") == nil)
    }
}
