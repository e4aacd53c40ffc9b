internal import RepositoryRuntime
internal import RepositorySQLCore

/// Adds and removes the columns with case-folded text, which indexes of fields declared
/// `ignoringCase` use.
///
/// The columns are not part of the schema. Opening a database adds the missing ones for new indexes.
///
/// A program that does not know the columns leaves them null in rows that it inserts. A trigger
/// sets them to null in rows that it updates. ``SQLiteFolding`` handles such rows.
///
/// Every method must be called inside a transaction.
struct SQLiteFoldedColumns: SQLExtra {
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Returns whether the database has exactly the needed columns, indexes and triggers.
    func areComplete() throws -> Bool {
        try tables.allSatisfy { table in
            let folding = SQLiteFolding(table)
            return try foundColumns(table) == Set(folding?.columns.map(\.folded) ?? [])
                && Set(foundObjects(table).keys) == Set(folding?.objects.keys.map { $0 } ?? [])
                && outdatedIndexes(table).isEmpty
        }
    }

    /// Adds and fills the missing columns. Must be called before indexes are built over them.
    func addMissing() throws {
        for table in tables {
            let found = try foundColumns(table)
            let text = SQLSchemaText(table, dialect)
            for column in table.columns {
                guard let folded = column.foldedName, !found.contains(folded),
                    let definition = text.foldedDefinition(of: column)
                else { continue }
                let name = dialect.quoted(table.name)
                try connection.execute("ALTER TABLE \(name) ADD COLUMN \(definition)")
                try connection.execute(
                    "UPDATE \(name) SET \(dialect.quoted(folded)) = \(dialect.caseFolded(dialect.quoted(column.name)))"
                )
            }
        }
    }

    /// Adds what is missing, rebuilds indexes that use other columns, and drops columns that no
    /// index needs.
    ///
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    func complete() throws {
        try addMissing()
        // All of them first: a table may have got the name of another one, whose objects have it.
        for table in tables {
            let objects = SQLiteFolding(table)?.objects ?? [:]
            for (name, type) in try foundObjects(table) where objects[name] == nil {
                try connection.execute("DROP \(type) \(dialect.quoted(name))")
            }
        }
        for table in tables {
            for index in try outdatedIndexes(table) {
                try connection.execute("DROP INDEX \(dialect.quoted(index.name))")
                try SQLiteTableRebuild.create(index, table, connection)
            }
            let folding = SQLiteFolding(table)
            let found = try foundObjects(table)
            let needed = Set(folding?.columns.map(\.folded) ?? [])
            for column in try foundColumns(table) where !needed.contains(column) {
                try connection.execute(
                    "ALTER TABLE \(dialect.quoted(table.name)) DROP COLUMN \(dialect.quoted(column))"
                )
            }
            for (name, text) in folding?.objects ?? [:] where found[name] == nil {
                try connection.execute(text)
            }
        }
    }

    /// Drops the store's own indexes and triggers of a table before a column gets another name:
    /// their names say the old one, which a new column may get.
    /// ``complete()`` creates them again.
    static func dropObjects(of table: String, _ connection: SQLiteConnection) throws {
        for (name, type) in try SQLiteCatalog.objects(of: table, connection)
        where name.hasPrefix(SQLiteFolding.objectPrefix) {
            try connection.execute("DROP \(type) \(SQLiteDialect().quoted(name))")
        }
    }

    /// Returns the names of the folded columns in the database.
    private func foundColumns(_ table: SQLTable) throws -> Set<String> {
        Set(
            try SQLiteCatalog.columns(of: table.name, connection).map(\.name)
                .filter { $0.hasPrefix(SQLColumn.foldedPrefix) })
    }

    /// Returns the types of the store's own indexes and triggers in the database, by name.
    private func foundObjects(_ table: SQLTable) throws -> [String: String] {
        try SQLiteCatalog.objects(of: table.name, connection)
            .filter { $0.key.hasPrefix(SQLiteFolding.objectPrefix) }
    }

    /// Returns the declared indexes that exist but use folded text differently from their
    /// declaration.
    private func outdatedIndexes(_ table: SQLTable) throws -> [TableIndex] {
        let text = SQLSchemaText(table, dialect)
        let stored = try SQLiteCatalog.indexTexts(of: table.name, connection)
        return table.entity.indexes.filter { index in
            guard let stored = stored[index.name] else { return false }
            let declared = text.createIndex(index)
            return stored != declared && (isFolded(stored) || isFolded(declared))
        }
    }

    /// Returns whether the statement of an index uses folded text.
    private func isFolded(_ text: String) -> Bool {
        text.contains(SQLColumn.foldedPrefix)
    }
}

extension SQLTable {
    /// Checks that no managed column has a name that is reserved for the store.
    ///
    /// - Parameter store: the name of the store, for the error.
    /// - Throws: `unsupported`.
    func requireNames(of store: String) throws {
        try requireOwnName(of: store)
        let prefix = SQLColumn.foldedPrefix
        guard entity.isManaged,
            let column = columns.first(where: {
                SQLiteCatalog.folded($0.name).hasPrefix(prefix)
            })
        else { return }
        var error = CRUDRepositoryError.unsupported(
            "the name '\(column.name)' of a column: names that begin with '\(prefix)' are the store's own",
            by: store)
        error.table = name
        throw error
    }
}
