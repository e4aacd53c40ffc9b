import CSQLite
import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Statements and bodies of the caller's own that fail after they have written.
@Suite struct SQLiteOwnFailureTests {
    private struct Refusal: Error {}

    private func onEach(
        _ body: (SQLiteStore, Library) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            for store in [SQLiteStore(path: folder + "/data.sqlite"), .inMemory()] {
                let library = Library(store)
                try await library.open()
                try await body(store, library)
            }
        }
    }

    /// An author of a name that its entity does not allow to be read: the id is no UUID.
    private static let unreadable: SQL =
        "INSERT INTO authors (id, name) VALUES ('no UUID', 'Unreadable') RETURNING *"

    /// Keeps the writer's thread busy until all writes have arrived, so that they share a commit.
    private func shared(_ store: SQLiteStore, _ writes: [@Sendable () async throws -> Void])
        async throws -> [Bool]
    {
        let transaction = try await store.begin()
        let tasks = writes.map { write in
            Task {
                do {
                    try await write()
                    return true
                } catch is CRUDRepositoryError {
                    return false
                }
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        await transaction.rollBack()
        var results: [Bool] = []
        for task in tasks { results.append(try await task.value) }
        return results
    }

    @Test func aStatementWhoseRowsCannotBeReadIsUndoneAlone() async throws {
        try await onEach { store, library in
            let results = try await shared(
                store,
                [
                    { try await library.authors.create(Author(name: "A")) },
                    { _ = try await store.sql(Self.unreadable, as: Author.self) },
                    { try await library.authors.create(Author(name: "B")) },
                ])
            #expect(results == [true, false, true])
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "B"])
        }
    }

    @Test func inATransactionItIsUndoneAlone() async throws {
        try await onEach { store, library in
            try await library.transaction { library in
                try await library.authors.create(Author(name: "A"))
                try await expectError(.invalidRecord) {
                    _ = try await store.sql(Self.unreadable, as: Author.self)
                }
                // One row of several.
                try await expectError(.invalidRecord) {
                    _ = try await store.sql(
                        "INSERT INTO authors (id, name) VALUES (\(UUID()), 'C'), ('no UUID', 'D') RETURNING *",
                        as: Author.self)
                }
                try await library.authors.create(Author(name: "B"))
            }
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "B"])
        }
    }

    @Test func aBodyThatThrowsInATransactionIsUndoneAlone() async throws {
        try await onEach { store, library in
            try await library.transaction { library in
                try await library.authors.create(Author(name: "A"))
                await #expect(throws: Refusal.self) {
                    try await store.withConnection { connection in
                        sqlite3_exec(connection.pointer, "DELETE FROM authors", nil, nil, nil)
                        throw Refusal()
                    }
                }
                try await library.authors.create(Author(name: "B"))
            }
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "B"])
        }
    }

    @Test func aBodyThatThrowsLeavesNoTransactionOpen() async throws {
        try await onEach { store, library in
            await #expect(throws: Refusal.self) {
                try await store.withConnection { connection in
                    sqlite3_exec(
                        connection.pointer,
                        "BEGIN; INSERT INTO authors (id, name) VALUES ('x', 'y')", nil, nil, nil)
                    throw Refusal()
                }
            }
            try await library.authors.create(Author(name: "A"))
            #expect(try await library.authors.fetch().map(\.name) == ["A"])
        }
    }

    @Test(arguments: [
        "COMMIT", "END", "ROLLBACK", "BEGIN", "RELEASE repository_operation",
        "ROLLBACK TO Repository_Operation", "SAVEPOINT repository_nested1",
    ])
    func aBodyCannotEndTheTransactionAround(statement: String) async throws {
        try await onEach { store, library in
            await #expect(throws: Refusal.self) {
                try await library.transaction { library in
                    try await library.authors.create(Author(name: "A"))
                    let code = try await store.withConnection {
                        sqlite3_exec($0.pointer, statement, nil, nil, nil)
                    }
                    #expect(code == SQLITE_AUTH)
                    try await library.authors.create(Author(name: "B"))
                    #expect(try await library.authors.count() == 2)
                    throw Refusal()
                }
            }
            let count = try await library.authors.count()
            #expect(count == 0)
        }
    }

    @Test func aBodyThatEndsTheTransactionAllTheSameIsReported() async throws {
        try await onEach { store, library in
            try await expectError(.databaseError) {
                try await library.transaction { library in
                    try await library.authors.create(Author(name: "A"))
                    try await expectError(.unsupported) {
                        try await store.withConnection { connection in
                            sqlite3_set_authorizer(connection.pointer, nil, nil)
                            sqlite3_exec(connection.pointer, "ROLLBACK", nil, nil, nil)
                        }
                    }
                    try await library.authors.create(Author(name: "B"))
                }
            }
            #expect(try await library.authors.count() == 0)
            try await library.authors.create(Author(name: "C"))
            #expect(try await library.authors.count() == 1)
        }
    }

    @Test func savepointsAndRunningStatementsOfABodyDoNoHarm() async throws {
        try await onEach { store, library in
            for name in ["A", "B", "C"] { try await library.authors.create(Author(name: name)) }
            let leave: @Sendable (borrowing SQLiteHandle, String) throws -> Void = {
                connection, name in
                sqlite3_exec(connection.pointer, "SAVEPOINT mine", nil, nil, nil)
                var statement: OpaquePointer?
                sqlite3_prepare_v2(
                    connection.pointer, "DELETE FROM authors WHERE name = '\(name)' RETURNING id",
                    -1,
                    &statement, nil)
                #expect(sqlite3_step(statement) == SQLITE_ROW)
                var reading: OpaquePointer?
                sqlite3_prepare_v2(
                    connection.pointer, "SELECT * FROM authors", -1, &reading, nil)
                #expect(sqlite3_step(reading) == SQLITE_ROW)
            }
            try await library.transaction { library in
                try await store.withConnection { try leave($0, "A") }
                try await library.authors.create(Author(name: "D"))
            }
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["B", "C", "D"])
            // Outside of a transaction a savepoint begins one.
            try await expectError(.unsupported) {
                try await store.withConnection { try leave($0, "B") }
            }
            try await library.authors.create(Author(name: "E"))
            #expect(try await library.authors.count() == 4)
        }
    }

    /// `RAISE(FAIL)` ends a statement and keeps what it has done.
    @Test func aTriggerThatFailsLeavesNothingBehind() async throws {
        try await onEach { store, library in
            try await store.sql(
                """
                CREATE TRIGGER refuse AFTER INSERT ON authors WHEN NEW.name = 'bad'
                BEGIN SELECT RAISE(FAIL, 'refused'); END
                """)
            let results = try await shared(
                store,
                [
                    { try await library.authors.create(Author(name: "A")) },
                    { try await library.authors.create(Author(name: "bad")) },
                    { try await library.authors.create(Author(name: "B")) },
                ])
            #expect(results == [true, false, true])
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "B"])
            let transaction = try await store.begin()
            try await transaction.create(Author(name: "C"))
            try await expectError(.constraintViolated) {
                try await transaction.create(Author(name: "bad"))
            }
            try await expectError(.databaseError) { try await transaction.commit() }
            #expect(try await library.authors.count() == 2)
        }
    }
}
