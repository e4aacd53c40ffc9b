internal import RepositoryRuntime

/// Indexes of the store's own over references, so that the deletion of a record finds those that refer
/// to it without reading their table. They are no part of the schema.
struct SQLiteReferenceIndexes {
    private static let prefix = "repository_reference: "

    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Whether there is nothing to be done.
    func areComplete() throws -> Bool {
        try tables.allSatisfy { table in
            try SQLiteCatalog.indexes(of: table.name, connection).filter(isOwn)
                == Set(needed(table).keys)
        }
    }

    /// Makes what is missing and drops what is needed no more, inside a transaction.
    func complete() throws {
        for table in tables {
            let found = try SQLiteCatalog.indexes(of: table.name, connection).filter(isOwn)
            let needed = needed(table)
            for name in found where needed[name] == nil {
                try connection.execute("DROP INDEX \(dialect.quoted(name))")
            }
            for (name, columns) in needed where !found.contains(name) {
                try connection.execute(
                    "CREATE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) (\(dialect.list(columns)))"
                )
            }
        }
    }

    private func isOwn(_ name: String) -> Bool { name.hasPrefix(Self.prefix) }

    /// The references that neither the key nor a declared index leads with: their columns by the name
    /// of the index.
    private func needed(_ table: SQLTable) -> [String: [String]] {
        let leads =
            [table.keyNames]
            + table.entity.indexes.filter { $0.condition == nil }.map { index in
                index.keys.flatMap { key in
                    table.columns(ofField: key.field).map { table.columns[$0].name }
                }
            }
        var needed: [String: [String]] = [:]
        for reference in table.references
        where !leads.contains(where: { $0.starts(with: reference.columns) }) {
            // Quoted, so that no two references have one name.
            let name =
                "\(Self.prefix)\(dialect.quoted(table.name)) (\(dialect.list(reference.columns)))"
            guard !table.entity.indexes.contains(where: { $0.name == name }) else { continue }
            needed[name] = reference.columns
        }
        return needed
    }
}
