internal import RepositoryRuntime
internal import RepositorySQLCore

/// Creates and drops the tables and triggers of search indexes.
///
/// They are not part of the schema. An index that lacks a table or a trigger, or that was built for
/// another definition, may have missed changes: all records are marked as changed, and the next
/// search indexes them.
///
/// Every method must be called inside a transaction.
struct SQLiteSearchTables: SQLExtra {
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Returns whether the database has exactly the needed tables and triggers.
    func areComplete() throws -> Bool {
        let found = try SQLiteCatalog.ownObjects(SQLiteSearchIndex.prefix, connection)
        guard try unneeded(found).isEmpty else { return false }
        return try tables.allSatisfy { table in
            try SQLiteSearchIndex(table).map { try isComplete($0, found) } ?? true
        }
    }

    /// Drops what no table needs, and rebuilds the indexes that are incomplete.
    func complete() throws {
        let found = try SQLiteCatalog.ownObjects(SQLiteSearchIndex.prefix, connection)
        for object in try unneeded(found) { try drop(object) }
        for table in tables {
            guard let index = SQLiteSearchIndex(table), try !isComplete(index, found) else {
                continue
            }
            for object in found where isPart(object, of: index) { try drop(object) }
            for text in index.tables.values { try connection.execute(text) }
            for text in index.triggers.values { try connection.execute(text) }
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \"\(SQLiteSearchIndex.stateTable)\" "
                    + "(name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID")
            try connection.execute(index.markAll)
            let statement = try SQLiteStatement(
                index.insertDefinition, on: connection.handle, isKept: false)
            try statement.bind(table.name, at: 1)
            try statement.bind(index.definition, at: 2)
            try statement.run()
        }
    }

    /// Drops the index of a table that is dropped.
    static func drop(of table: String, _ connection: SQLiteConnection) throws {
        let suffix = ": \(SQLiteDialect().quoted(table))"
        for object in try SQLiteCatalog.ownObjects(SQLiteSearchIndex.prefix, connection)
        where object.type == "table" && object.name.hasSuffix(suffix) {
            try connection.execute("DROP TABLE \(SQLiteDialect().quoted(object.name))")
        }
    }

    /// Returns the objects of indexes that no table has any more: those of tables that were dropped
    /// or renamed, and those of tables of this schema that are no longer searched.
    private func unneeded(
        _ found: [SQLiteCatalog.OwnObject]
    ) throws -> [SQLiteCatalog.OwnObject] {
        guard !found.isEmpty else { return [] }
        let known = try SQLiteCatalog.tables(connection)
        let searched = tables.compactMap { SQLiteSearchIndex($0) }
        let own = Set(tables.map(\.name))
        return found.filter { object in
            if searched.contains(where: { isPart(object, of: $0) }) { return false }
            let quoted = object.name.split(separator: ": ", maxSplits: 1).last.map(String.init)
            guard object.type == "table" else {
                // A trigger whose name belongs to another table was renamed with its table.
                return own.contains(object.table)
                    || quoted != dialect.quoted(object.table)
            }
            return !known.contains { !own.contains($0) && dialect.quoted($0) == quoted }
        }
    }

    private func drop(_ object: SQLiteCatalog.OwnObject) throws {
        try connection.execute("DROP \(object.type) IF EXISTS \(dialect.quoted(object.name))")
    }

    /// Whether an object is a table or a trigger of an index.
    private func isPart(_ object: SQLiteCatalog.OwnObject, of index: SQLiteSearchIndex) -> Bool {
        index.tables[object.name] != nil
            || index.triggers[object.name] != nil && object.table == index.table.name
    }

    /// Whether all tables and triggers of an index are there, with the statements of this program,
    /// and it was built for this definition.
    private func isComplete(
        _ index: SQLiteSearchIndex, _ found: [SQLiteCatalog.OwnObject]
    ) throws -> Bool {
        let texts = Dictionary(
            found.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        guard index.tables.allSatisfy({ texts[$0.key] == $0.value }),
            index.triggers.allSatisfy({ texts[$0.key] == $0.value })
        else { return false }
        return try connection.searchDefinition(of: index) == index.definition
    }
}

extension SQLiteCatalog {
    /// A table or a trigger that belongs to the store itself.
    struct OwnObject {
        /// `table` or `trigger`.
        let type: String
        let name: String
        /// The table of a trigger; the name of a table.
        let table: String
        /// The statement that created it.
        let text: String
    }

    /// Returns the tables and triggers whose names begin with a prefix.
    static func ownObjects(
        _ prefix: String, _ connection: SQLiteConnection
    ) throws -> [OwnObject] {
        let statement = try SQLiteStatement(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema "
                + "WHERE type IN ('table', 'trigger') AND substr(name, 1, length(?1)) = ?1",
            on: connection.handle, isKept: false)
        try statement.bind(prefix, at: 1)
        var objects: [OwnObject] = []
        while try statement.step() {
            objects.append(
                OwnObject(
                    type: statement.text(at: 0) ?? "", name: statement.text(at: 1) ?? "",
                    table: statement.text(at: 2) ?? "", text: statement.text(at: 3) ?? ""))
        }
        return objects
    }
}

extension SQLiteConnection {
    /// Returns the definition that a search index was built for; nil if there is no such index.
    func searchDefinition(of index: SQLiteSearchIndex) throws -> String? {
        do {
            let statement = try statement(index.selectDefinition)
            defer { statement.reset() }
            try statement.bind(index.table.name, at: 1)
            return try statement.step() ? statement.text(at: 0) : nil
        } catch let error as SQLiteError where error.message.hasPrefix("no such table") {
            return nil
        }
    }
}
