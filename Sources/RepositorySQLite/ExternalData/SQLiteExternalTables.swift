internal import RepositoryRuntime
internal import RepositorySQLCore

/// Creates, renames and drops the tables and triggers of external data.
///
/// Every method must be called inside a transaction.
struct SQLiteExternalTables: SQLExtra {
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Returns whether the database has exactly the needed tables and triggers.
    func areComplete() throws -> Bool {
        let found = try SQLiteCatalog.ownObjects(SQLiteExternalData.prefix, connection)
        let needed = tables.compactMap { SQLiteExternalData($0) }
        guard try unneeded(found, needed).isEmpty else { return false }
        return needed.allSatisfy { isComplete($0, found) }
    }

    /// Renames the tables of chunks with their tables, drops what no table needs, and creates what
    /// is missing. Then removes the chunks of contents that no record has any more.
    func complete() throws {
        var found = try SQLiteCatalog.ownObjects(SQLiteExternalData.prefix, connection)
        let needed = tables.compactMap { SQLiteExternalData($0) }
        let known = try Set(SQLiteCatalog.tables(connection))
        var isChanged = false
        for data in needed where !found.contains(where: { $0.name == data.chunksName }) {
            for (name, earlier) in zip(data.earlierChunksNames, data.table.entity.renamedFrom)
            where !known.contains(earlier) && found.contains(where: { $0.name == name }) {
                try connection.execute(
                    "ALTER TABLE \(dialect.quoted(name)) RENAME TO "
                        + dialect.quoted(data.chunksName))
                isChanged = true
                break
            }
        }
        if isChanged {
            found = try SQLiteCatalog.ownObjects(SQLiteExternalData.prefix, connection)
        }
        for object in try unneeded(found, needed) {
            try connection.execute("DROP \(object.type) IF EXISTS \(dialect.quoted(object.name))")
        }
        for data in needed where !isComplete(data, found) {
            for name in data.triggers.keys {
                try connection.execute("DROP TRIGGER IF EXISTS \(dialect.quoted(name))")
            }
            if !found.contains(where: { $0.name == data.chunksName }) {
                try connection.execute(data.createTable)
            }
            for text in data.triggers.values { try connection.execute(text) }
            // A migration may have dropped or replaced records without the triggers.
            try connection.execute(data.removeStray)
        }
    }

    /// Drops the external data of a table that is dropped.
    static func drop(of table: String, _ connection: SQLiteConnection) throws {
        let suffix = ": \(SQLiteDialect().quoted(table))"
        for object in try SQLiteCatalog.ownObjects(SQLiteExternalData.prefix, connection)
        where object.type == "table" && object.name.hasSuffix(suffix) {
            try connection.execute("DROP TABLE \(SQLiteDialect().quoted(object.name))")
        }
    }

    /// Returns the objects that no table has any more: those of tables that were dropped or
    /// renamed, and those of tables of this schema without external data.
    private func unneeded(
        _ found: [SQLiteCatalog.OwnObject], _ needed: [SQLiteExternalData]
    ) throws -> [SQLiteCatalog.OwnObject] {
        guard !found.isEmpty else { return [] }
        let known = try SQLiteCatalog.tables(connection)
        let own = Set(tables.map(\.name))
        return found.filter { object in
            if needed.contains(where: {
                $0.chunksName == object.name || $0.triggers[object.name] != nil
            }) {
                return false
            }
            let quoted = object.name.split(separator: ": ", maxSplits: 1).last.map(String.init)
            guard object.type == "table" else {
                return own.contains(object.table) || quoted != dialect.quoted(object.table)
            }
            return !known.contains { !own.contains($0) && dialect.quoted($0) == quoted }
        }
    }

    /// Whether the table and all triggers are there, with the statements of this program.
    private func isComplete(
        _ data: SQLiteExternalData, _ found: [SQLiteCatalog.OwnObject]
    ) -> Bool {
        guard found.contains(where: { $0.name == data.chunksName }) else { return false }
        return data.triggers.allSatisfy { name, text in
            found.contains { $0.name == name && $0.text == text }
        }
    }
}
