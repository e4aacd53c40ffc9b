internal import RepositoryRuntime

/// The columns that hold folded text, for the indexes of fields that ignore case.
///
/// They are no part of the schema, and opening a database adds those that are missing: to databases
/// of earlier programs, whose indexes are over a function that only the store has, and where an
/// index is new. A program that does not know the columns leaves them null in the rows that it
/// inserts, and a trigger makes them null in the rows that it changes; ``SQLiteFolding`` deals with
/// such rows.
struct SQLiteFoldedColumns {
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables
        self.connection = connection
    }

    /// Whether there is nothing to do.
    func areComplete() throws -> Bool {
        try tables.allSatisfy { table in
            let folding = SQLiteFolding(table)
            return try foundColumns(table) == Set(folding?.columns.map(\.folded) ?? [])
                && Set(foundObjects(table).keys) == Set(folding?.objects.keys.map { $0 } ?? [])
                && outdatedIndexes(table).isEmpty
        }
    }

    /// Adds and fills the columns that are missing, before indexes are built over them, inside a
    /// transaction.
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

    /// Adds what is missing, rebuilds indexes over the function, and drops columns that no index
    /// needs, inside a transaction.
    ///
    /// - Throws: `schemaMismatch` where records share the values of a unique index.
    func complete() throws {
        try addMissing()
        for table in tables {
            for index in try outdatedIndexes(table) {
                try connection.execute("DROP INDEX \(dialect.quoted(index.name))")
                try SQLiteTableRebuild.create(index, table, connection)
            }
            let folding = SQLiteFolding(table)
            let (objects, found) = (folding?.objects ?? [:], try foundObjects(table))
            for (name, type) in found where objects[name] == nil {
                try connection.execute("DROP \(type) \(dialect.quoted(name))")
            }
            let needed = Set(folding?.columns.map(\.folded) ?? [])
            for column in try foundColumns(table) where !needed.contains(column) {
                try connection.execute(
                    "ALTER TABLE \(dialect.quoted(table.name)) DROP COLUMN \(dialect.quoted(column))"
                )
            }
            for (name, text) in objects where found[name] == nil { try connection.execute(text) }
        }
    }

    private func foundColumns(_ table: SQLTable) throws -> Set<String> {
        Set(
            try SQLiteCatalog.columns(of: table.name, connection).map(\.name)
                .filter { $0.hasPrefix(SQLColumn.foldedPrefix) })
    }

    /// The indexes and triggers of the store's own, as SQL names their types, by name.
    private func foundObjects(_ table: SQLTable) throws -> [String: String] {
        try SQLiteCatalog.objects(of: table.name, connection)
            .filter { $0.key.hasPrefix(SQLiteFolding.objectPrefix) }
    }

    /// The declared indexes that are there and hold folded text in another way than they should.
    private func outdatedIndexes(_ table: SQLTable) throws -> [TableIndex] {
        let text = SQLSchemaText(table, dialect)
        let stored = try SQLiteCatalog.indexTexts(of: table.name, connection)
        return table.entity.indexes.filter { index in
            guard let stored = stored[index.name] else { return false }
            let declared = text.createIndex(index)
            return stored != declared && (isFolded(stored) || isFolded(declared))
        }
    }

    private func isFolded(_ text: String) -> Bool {
        text.contains(SQLColumn.foldedPrefix) || text.contains(SQLiteFunctions.caseFolded)
    }
}

/// The folded columns of one table, and the rows whose folded columns are null because a program
/// inserted or changed them that does not know the columns.
///
/// Reads of a table that has such rows fold text themselves and use no index. Writes of the store
/// fill the columns first, except where a unique index refuses it, so that a unique index refuses
/// what is written next.
struct SQLiteFolding: Sendable {
    /// A column and the one that holds its folded text, not quoted.
    struct Column: Sendable {
        let name: String
        let folded: String
        let isOptional: Bool
    }

    let columns: [Column]
    /// A row with 1 where a row of the table lacks folded text, with 0 otherwise.
    let hasUnfilled: String
    /// The statements that fill the columns of such rows, as far as unique indexes allow it.
    let fill: [String]
    /// The statements that fold the text of all rows again.
    let refill: [String]
    private let table: SQLTable

    /// Describes a table; nil where it has no folded columns.
    init?(_ table: SQLTable) {
        columns = table.columns.compactMap { column in
            column.foldedName.map {
                Column(name: column.name, folded: $0, isOptional: column.isOptional)
            }
        }
        guard !columns.isEmpty else { return nil }
        self.table = table
        let dialect = SQLiteDialect()
        let name = dialect.quoted(table.name)
        let tests = columns.map {
            "EXISTS (SELECT 1 FROM \(name) WHERE \(Self.isUnfilled($0)))"
        }
        hasUnfilled = "SELECT \(tests.joined(separator: " OR "))"
        fill = columns.map {
            "UPDATE OR IGNORE \(name) SET \(Self.setting($0)) WHERE \(Self.isUnfilled($0))"
        }
        // In two steps: a unique index compares rows one by one, of which some still have their old
        // text.
        refill =
            columns.map {
                "UPDATE \(name) SET \(dialect.quoted($0.folded)) = NULL WHERE \(dialect.quoted($0.folded)) IS NOT \(dialect.caseFolded(dialect.quoted($0.name)))"
            }
            + columns.map { "UPDATE \(name) SET \(Self.setting($0)) WHERE \(Self.isUnfilled($0))" }
    }

    /// What the names of the indexes and triggers begin with.
    fileprivate static let objectPrefix = "repository_folding "

    /// The statements that make, for each column, an index that finds rows without folded text, and
    /// a trigger that makes the folded text null where a program changes the text alone; by the
    /// names of what they make.
    ///
    /// The trigger also acts where the store replaces a text by another spelling: the store fills
    /// the column afterwards.
    fileprivate var objects: [String: String] {
        let dialect = SQLiteDialect()
        let table = dialect.quoted(self.table.name)
        var objects: [String: String] = [:]
        for column in columns {
            let (name, folded) = (dialect.quoted(column.name), dialect.quoted(column.folded))
            let suffix = "\(table) (\(folded))"
            let index = "\(Self.objectPrefix)index: \(suffix)"
            objects[index] =
                "CREATE INDEX \(dialect.quoted(index)) ON \(table) (\(folded)) WHERE \(Self.isUnfilled(column))"
            let trigger = "\(Self.objectPrefix)trigger: \(suffix)"
            let isSame = self.table.keyNames.map { dialect.quoted($0) }.map { "\($0) = NEW.\($0)" }
            objects[trigger] = """
                CREATE TRIGGER \(dialect.quoted(trigger)) AFTER UPDATE OF \(name) ON \(table)
                WHEN NEW.\(name) IS NOT OLD.\(name) AND NEW.\(folded) IS OLD.\(folded)
                BEGIN UPDATE \(table) SET \(folded) = NULL WHERE \(isSame.joined(separator: " AND ")); END
                """
        }
        return objects
    }

    private static func setting(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        return
            "\(dialect.quoted(column.folded)) = \(dialect.caseFolded(dialect.quoted(column.name)))"
    }

    private static func isUnfilled(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        let isNull = "\(dialect.quoted(column.folded)) IS NULL"
        // SQLite simplifies a test of a column that is never null, and then finds that the index is
        // for another one.
        return column.isOptional
            ? "\(isNull) AND \(dialect.quoted(column.name)) IS NOT NULL" : isNull
    }
}

extension SQLiteConnection {
    /// Whether a table has rows without folded text.
    func hasUnfilled(_ folding: SQLiteFolding) throws -> Bool {
        let statement = try statement(folding.hasUnfilled)
        defer { statement.reset() }
        return try statement.step() && statement.integer(at: 0) != 0
    }

    /// Fills the folded columns of rows that another program inserted, inside a transaction.
    func fill(_ folding: SQLiteFolding) throws {
        guard try hasUnfilled(folding) else { return }
        let before = totalChanges
        for text in folding.fill { try statement(text).run() }
        hiddenChanges += totalChanges - before
    }
}
