internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// The table in which a database keeps its description.
///
/// The description is one row, whose name is empty. Earlier programs wrote one row for each set, by its
/// name; these are merged into the one row when it is first written. Those programs read every row, and
/// refuse the format of this one.
enum SQLiteSchemaTable {
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

    /// The description of a database; nil where there is none.
    ///
    /// - Parameter set: the set that is being opened.
    static func description(
        _ connection: SQLiteConnection, for set: String
    ) throws -> StoreDescription? {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return nil }
        var earlier: [StoredSchema] = []
        var description: StoreDescription?
        let statement = try SQLiteStatement(select, on: connection.handle, isKept: false)
        while try statement.step() {
            let json = Data((statement.text(at: 1) ?? "").utf8)
            if statement.text(at: 0)?.isEmpty ?? true {
                description = try StoreDescription(json: json, store: "SQLite")
            } else {
                earlier.append(try StoredSchema(json: json, store: "SQLite"))
            }
        }
        guard var description else {
            return earlier.isEmpty ? nil : StoreDescription(merging: earlier, preferring: set)
        }
        // Such a row beside the description was written by hand: every program of this package refuses.
        for schema in earlier where description.set(schema.name) == nil {
            description.merge(schema)
        }
        return description
    }

    /// The JSON of the description; nil where there is none.
    static func json(_ connection: SQLiteConnection) throws -> String? {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return nil }
        let statement = try SQLiteStatement(
            select + " WHERE \"name\" = ''", on: connection.handle, isKept: false)
        return try statement.step() ? statement.text(at: 1) : nil
    }

    /// Writes the description; without sets the table goes.
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
