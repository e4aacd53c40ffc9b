import CSQLite
import Foundation
import RepositoryRuntime
import RepositorySQLite
import RepositoryTesting

/// The database files of the suite, written from outside through SQLite's own interface.
enum HouseSQL {
    /// The file of a place.
    static func file(_ place: StoreLocation) -> String {
        place.directory.appending(path: "data.sqlite").path
    }

    /// A store on the file of a place, which waits for other writers as long as the machine is busy with other tests.
    static func store(_ place: StoreLocation) -> SQLiteStore {
        SQLiteStore(path: file(place), busyTimeout: .seconds(3_600))
    }

    /// Creates the tables of a schema as their owner would: the indexes that ignore case are over
    /// an expression, not over the columns that the package adds to its own tables.
    static func makeTables(of schema: StoreSchema, _ place: StoreLocation) async throws {
        let store = store(place)
        try await store.open(schema)
        for table in schema.tables {
            let isFolded = table.indexes.contains { index in
                index.keys.contains { table.ignoresCase($0) }
            }
            guard isFolded, let statements = ownIndexes[table.name] else { continue }
            for statement in statements { _ = try await store.execute("\(raw: statement)") }
        }
    }

    /// The indexes that ignore case, by table, as the owner of the table creates them.
    private static let ownIndexes = [
        "articles": [
            """
            CREATE INDEX IF NOT EXISTS "owner_bylines" ON "articles"
                (repository_casefold("byline"), "rank")
            """
        ],
        "members": [
            """
            CREATE UNIQUE INDEX IF NOT EXISTS "owner_handles" ON "members"
                (repository_casefold("handle"))
            """
        ],
        "listings": [
            """
            CREATE UNIQUE INDEX IF NOT EXISTS "owner_titles" ON "listings"
                (repository_casefold("title")) WHERE repository_casefold("state") IS NOT 'gone'
            """,
            """
            CREATE INDEX IF NOT EXISTS "owner_states" ON "listings"
                (repository_casefold("state") DESC, "count")
            """,
        ],
    ]

    /// Runs statements on the file of a place.
    static func run(_ statements: String, _ place: StoreLocation) throws {
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
