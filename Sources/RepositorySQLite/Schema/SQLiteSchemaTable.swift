internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The table that contains the schema description of a database.
///
/// The description is one row with an empty name, whose value is JSON. Each write increments its
/// revision. Programs before the first release wrote one row per schema, in a format that is not
/// read.
enum SQLiteSchemaTable {
    /// The name of the table. No table of a schema may have it.
    static let name = "repository_schema"
    private static let create = """
        CREATE TABLE IF NOT EXISTS "repository_schema" (
            "name" TEXT NOT NULL,
            "description" TEXT NOT NULL,
            PRIMARY KEY ("name")
        ) STRICT, WITHOUT ROWID
        """
    private static let clear = "DELETE FROM \"repository_schema\""
    private static let insert = "INSERT INTO \"repository_schema\" VALUES ('', ?1)"
    private static let select =
        "SELECT \"description\" FROM \"repository_schema\" ORDER BY \"name\" LIMIT 1"

    /// Returns the description of a database; `nil` if there is none.
    ///
    /// - Throws: `schemaMismatch` for a description in another format.
    static func description(_ connection: SQLiteConnection) throws -> StoreDescription? {
        try json(connection).map { try StoreDescription(json: Data($0.utf8), store: "SQLite") }
    }

    /// Returns the JSON of the description; `nil` if there is none.
    static func json(_ connection: SQLiteConnection) throws -> String? {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return nil }
        let statement = try SQLiteStatement(select, on: connection.handle, isKept: false)
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// Writes the description with the next revision number. If it contains no schema, the table is
    /// dropped.
    ///
    /// Must be called inside a transaction.
    static func write(_ description: StoreDescription, _ connection: SQLiteConnection) throws {
        guard !description.sets.isEmpty else {
            return try connection.execute("DROP TABLE IF EXISTS \"\(name)\"")
        }
        try connection.execute(create)
        try connection.execute(clear)
        let statement = try SQLiteStatement(insert, on: connection.handle, isKept: false)
        try statement.bind(description.nextJSON(), at: 1)
        try statement.run()
    }
}
