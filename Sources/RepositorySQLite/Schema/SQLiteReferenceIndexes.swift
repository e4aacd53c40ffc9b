internal import RepositoryRuntime
internal import RepositorySQLCore

/// Creates and drops the store's own indexes over references.
///
/// With such an index, SQLite finds the records that refer to a deleted record without scanning
/// their table. The indexes are not part of the schema.
struct SQLiteReferenceIndexes: SQLExtra {
    /// The prefix of the names of the store's own indexes.
    private static let prefix = "repository_reference: "

    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Returns whether the database has exactly the needed indexes.
    func areComplete() throws -> Bool {
        try tables.allSatisfy { table in
            try found(table) == Set(needed(table).keys)
        }
    }

    /// Creates the missing indexes and drops those that are no longer needed. Must be called inside
    /// a transaction.
    func complete() throws {
        // All of them first: a table may have got the name of another one, whose indexes have it.
        for table in tables {
            let needed = needed(table)
            for name in try found(table) where needed[name] == nil {
                try connection.execute("DROP INDEX \(dialect.quoted(name))")
            }
        }
        for table in tables {
            let (needed, found) = (needed(table), try found(table))
            for (name, columns) in needed where !found.contains(name) {
                try connection.execute(
                    "CREATE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) (\(dialect.list(columns)))"
                )
            }
        }
    }

    /// Returns the store's own indexes of a table.
    private func found(_ table: SQLTable) throws -> Set<String> {
        try SQLiteCatalog.indexes(of: table.name, connection).filter { $0.hasPrefix(Self.prefix) }
    }

    /// Returns the columns of each reference that needs an index, by the name of the index.
    ///
    /// A reference needs none if the primary key or a declared index without a condition begins
    /// with its columns.
    private func needed(_ table: SQLTable) -> [String: [String]] {
        let leads =
            [table.keyNames]
            + table.entity.indexes.filter { $0.condition == nil }.map { index in
                index.keys.prefix(while: \.path.names.isEmpty).flatMap { key in
                    table.columns(ofField: key.field).map { table.columns[$0].name }
                }
            }
        var needed: [String: [String]] = [:]
        for reference in table.references
        where !leads.contains(where: { $0.starts(with: reference.columns) }) {
            // The names are quoted, so that different references have different index names.
            let name =
                "\(Self.prefix)\(dialect.quoted(table.name)) (\(dialect.list(reference.columns)))"
            guard !table.entity.indexes.contains(where: { $0.name == name }) else { continue }
            needed[name] = reference.columns
        }
        return needed
    }
}
