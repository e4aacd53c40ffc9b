internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The table that contains the schema description of a database.
///
/// The description is one row with an empty name, whose value is JSON. Each write increments its
/// revision. Earlier programs wrote one row per schema, with its name. Those rows are merged into
/// the single row when the description is next written. Earlier programs read every row and reject
/// the format of the single row.
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
    private static let select = "SELECT \"name\", \"description\" FROM \"repository_schema\""

    /// Returns the description of a database; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - set: the name of the schema that is being opened. Its row takes precedence when rows of
    ///     earlier programs are merged.
    /// - Throws: an error for a description in a format that is not supported.
    static func description(
        _ connection: SQLiteConnection, for set: String
    ) throws -> StoreDescription? {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return nil }
        var earlier: [SchemaDescription] = []
        var description: StoreDescription?
        let statement = try SQLiteStatement(select, on: connection.handle, isKept: false)
        while try statement.step() {
            let json = Data((statement.text(at: 1) ?? "").utf8)
            if statement.text(at: 0)?.isEmpty ?? true {
                description = try StoreDescription(json: json, store: "SQLite")
            } else {
                earlier.append(try SchemaDescription(json: json, store: "SQLite"))
            }
        }
        guard var description else {
            return earlier.isEmpty ? nil : StoreDescription(merging: earlier, preferring: set)
        }
        // Such a row was inserted by hand: earlier versions of this package reject a database with
        // the single row, and later versions write no other row.
        for schema in earlier where description.set(schema.name) == nil {
            description.merge(schema)
        }
        return description
    }

    /// Returns the JSON of the description; `nil` if there is none.
    static func json(_ connection: SQLiteConnection) throws -> String? {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return nil }
        let statement = try SQLiteStatement(
            select + " WHERE \"name\" = ''", on: connection.handle, isKept: false)
        return try statement.step() ? statement.text(at: 1) : nil
    }

    /// Writes the description with the next revision number. If it contains no schema, the table is
    /// dropped.
    ///
    /// Must be called inside a transaction.
    static func write(_ description: StoreDescription, _ connection: SQLiteConnection) throws {
        guard !description.sets.isEmpty else {
            return try connection.execute("DROP TABLE IF EXISTS \"\(name)\"")
        }
        var description = description
        description.revision += 1
        try connection.execute(create)
        try connection.execute(clear)
        let statement = try SQLiteStatement(insert, on: connection.handle, isKept: false)
        try statement.bind(String(decoding: try description.json(), as: UTF8.self), at: 1)
        try statement.run()
    }
}
