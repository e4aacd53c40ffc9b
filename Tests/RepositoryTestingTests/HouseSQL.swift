import CSQLite
import Foundation
import RepositoryRuntime
import RepositorySQLite
import RepositoryTesting

/// The database files of the suite, written from outside through SQLite's own interface.
enum HouseSQL {
    /// The file of a place.
    static func file(_ place: StorePlace) -> String {
        place.directory.appending(path: "data.sqlite").path
    }

    /// A store on the file of a place, which waits for other writers as long as the machine is busy with other tests.
    static func store(_ place: StorePlace) -> SQLiteStore {
        SQLiteStore(path: file(place), busyTimeout: .seconds(3_600))
    }

    /// Creates the tables of a schema as their owner would: the indexes that ignore case are over
    /// an expression, not over the columns that the package adds to its own tables.
    static func makeTables(of schema: StoreSchema, _ place: StorePlace) async throws {
        let store = store(place)
        try await store.open(schema)
        guard schema.table("articles") != nil, schema.table("members") != nil else { return }
        _ = try await store.execute(
            """
            CREATE INDEX IF NOT EXISTS "owner_bylines" ON "articles"
                (repository_casefold("byline"), "rank")
            """)
        _ = try await store.execute(
            """
            CREATE UNIQUE INDEX IF NOT EXISTS "owner_handles" ON "members"
                (repository_casefold("handle"))
            """)
    }

    /// Runs statements on the file of a place.
    static func run(_ statements: String, _ place: StorePlace) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(file(place), &connection) == SQLITE_OK,
            // A store may be moving its log into the file.
            sqlite3_busy_timeout(connection, 3_600_000) == SQLITE_OK,
            sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK
        else { throw Failure(message: String(cString: sqlite3_errmsg(connection))) }
    }

    /// What SQLite said.
    struct Failure: Error {
        let message: String
    }
}
