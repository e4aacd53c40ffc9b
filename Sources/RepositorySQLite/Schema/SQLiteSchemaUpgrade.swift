internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Applies the steps of a migration plan, inside a transaction and with foreign keys disabled.
struct SQLiteSchemaUpgrade {
    private let plan: SQLiteSchemaPlan
    private let schema: StoreSchema
    /// The tables of the schema by name.
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()
    private let reporter: MigrationReporter
    private let setAside: SQLiteSetAside?

    /// Creates an upgrade.
    ///
    /// - Parameters:
    ///   - plan: the plan, without differences.
    ///   - schema: the schema.
    ///   - tables: the tables of the schema.
    ///   - connection: the connection.
    ///   - reporter: counts the records that are rewritten.
    ///   - setAside: receives the records that cannot be migrated; `nil` if they are an error.
    init(
        _ plan: SQLiteSchemaPlan, _ schema: StoreSchema, _ tables: [SQLTable],
        _ connection: SQLiteConnection, _ reporter: MigrationReporter, _ setAside: SQLiteSetAside?
    ) {
        self.plan = plan
        self.reporter = reporter
        self.setAside = setAside
        self.schema = schema
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.connection = connection
    }

    /// Checks that no deleted record would come back, then applies the steps in this order:
    /// 0. The new ids of records are computed.
    /// 1. Tables that a version removed are dropped.
    /// 2. Tables and columns are renamed, so that the other steps can use the declared names, and
    ///    indexes are dropped. Functions over several tables fill new tables before columns are
    ///    renamed.
    /// 3. Tables and columns are added.
    /// 4. Tables are rebuilt for changes that `ALTER TABLE` does not support, and for changes of
    ///    versions.
    /// 5. Folded columns are added and filled, because indexes may use them.
    /// 6. Indexes are created.
    /// 7. The references of rebuilt tables are checked.
    /// 8. Triggers of other programs are created again, and their views are checked.
    ///
    /// - Throws: `schemaMismatch` if a new unique index or reference does not fit the stored
    ///   records, if records cannot be converted, or if what other programs made cannot be kept.
    func run() throws {
        for forgotten in plan.opening.forgottenDeletions {
            let table = dialect.quoted(forgotten.table)
            let statement = try SQLiteStatement(
                "SELECT count(*) FROM \(table) WHERE \(dialect.quoted(forgotten.column)) IS NOT NULL",
                on: connection.handle, isKept: false)
            let count = try statement.step() ? Int(statement.integer(at: 0)) : 0
            try forgotten.require(noneOf: count, in: "SQLite")
        }
        let unmanaged = try SQLiteUnmanagedParts(plan, tables, connection)
        let migrations = plan.opening.migrations
        let rebuilt = plan.rebuilt
        let space = SQLiteMigrationSpace(connection)
        let ids = try IDMigration(plan.opening, in: space, setsAside: setAside != nil)
        try ids?.run(
            store: "SQLite", SQLiteStoredRecords(plan.opening.stored, connection, setAside))
        try ChunkTables(Array(tables.values), connection).move(plan.opening)
        for name in plan.opening.removedTables {
            try connection.execute("DROP TABLE IF EXISTS \(dialect.quoted(name))")
        }
        let functions = SQLiteTablesMigration(
            plan.opening, schema, tables, connection, space, reporter, setAside)
        try functions.renameReplaced()
        try renameTables()
        try plan.opening.moveCounters(connection)
        // Before any table is rebuilt with its indexes, of which one may have the name of another.
        for case .dropIndex(_, let name) in plan.steps {
            try connection.execute("DROP INDEX IF EXISTS \(dialect.quoted(name))")
        }
        try functions.run()
        try unmanaged.completeReplaced()
        // A table that is converted gets its columns when it is rebuilt.
        for (table, from, to) in plan.opening.renamedColumns {
            let found = try SQLiteCatalog.columns(of: table, connection).map(\.name)
            let prefix = SQLColumn.foldedPrefix
            if found.contains(prefix + from) {
                try SQLiteFoldedColumns.dropObjects(of: table, connection)
            }
            for (old, new) in [(from, to), (prefix + from, prefix + to)] where found.contains(old) {
                try connection.execute(dialect.renameColumn(table, from: old, to: new))
            }
        }
        for step in plan.steps { try add(step, rebuilt) }
        var converted = plan.opening.producedTables
        for name in rebuilt.sorted() {
            guard let table = tables[name] else { continue }
            guard let migration = migrations[name] else {
                try SQLiteTableRebuild(table, connection, unmanaged, reporter, setAside).run()
                continue
            }
            let change = SQLiteTableMigration(
                migration, table, schema, stored: plan.opening.stored, ids, connection, unmanaged,
                reporter, setAside)
            if try change.run() { converted.insert(name) }
        }
        try SQLiteFoldedColumns(tables.values.filter(\.entity.isManaged), connection).addMissing()
        for step in plan.steps { try createIndex(step, rebuilt) }
        // A function may have dropped records to which others refer.
        let referring = tables.values.filter { table in
            table.references.contains { converted.contains($0.table) }
        }
        let checked = rebuilt.union(converted).union(referring.map(\.name))
        try setAside?.resolveReferences(among: Array(tables.values), checking: checked, connection)
        try checkReferences(checked)
        try space.remove()
        try unmanaged.finish()
    }

    /// Renames tables.
    ///
    /// All tables first get a name that no other table has: one may get the name of another, and
    /// SQLite rejects a new name that differs from the old one only in case.
    private func renameTables() throws {
        for case .renameTable(let from, let to) in plan.steps {
            let (old, between) = (dialect.quoted(from), dialect.quoted("repository_rename_\(to)"))
            try connection.execute("ALTER TABLE \(old) RENAME TO \(between)")
        }
        for case .renameTable(_, let to) in plan.steps {
            let (between, new) = (dialect.quoted("repository_rename_\(to)"), dialect.quoted(to))
            try connection.execute("ALTER TABLE \(between) RENAME TO \(new)")
        }
    }

    /// Applies a step that creates a table or adds a field, and ignores other steps. Fields of the
    /// tables in `rebuilt` are skipped, because rebuilding the table adds them.
    private func add(_ step: SchemaStep, _ rebuilt: Set<String>) throws {
        switch step {
        case .createTable(let name):
            guard let table = tables[name] else { return }
            let text = SQLSchemaText(table, dialect)
            try connection.execute(text.createTable())
            for index in table.entity.indexes { try connection.execute(text.createIndex(index)) }
        case .addField(let name, let field):
            guard !rebuilt.contains(name), let table = tables[name],
                let position = table.columns.firstIndex(where: {
                    table.fieldName($0.field) == field
                })
            else { return }
            let definition = SQLSchemaText(table, dialect).definition(of: table.columns[position])
            try connection.execute(
                "ALTER TABLE \(dialect.quoted(name)) ADD COLUMN \(definition)")
        default: break
        }
    }

    /// Applies a step that creates an index. A rebuilt table already has the declared indexes.
    private func createIndex(_ step: SchemaStep, _ rebuilt: Set<String>) throws {
        guard case .createIndex(let name, let index) = step, !rebuilt.contains(name),
            let table = tables[name],
            let declared = table.entity.indexes.first(where: { $0.name == index })
        else { return }
        try SQLiteTableRebuild.create(declared, table, connection, setAside)
    }

    /// Checks that the records of rebuilt tables refer to existing records.
    ///
    /// - Throws: `schemaMismatch`.
    private func checkReferences(_ rebuilt: Set<String>) throws {
        for name in rebuilt.sorted() {
            let isBroken = try SQLiteCatalog.hasRow(
                "PRAGMA foreign_key_check(\(dialect.quoted(name)))", connection)
            guard isBroken else { continue }
            let words = "records of '\(name)' refer to records that are not there"
            let broken =
                plan.opening.hasHistory
                ? try tables[name].flatMap { try SQLMigratedRecords($0, connection).dangling() }
                : nil
            throw CRUDRepositoryError.schemaMismatch(
                store: "SQLite", differences: [words + (broken.map { ": \($0)" } ?? "")])
        }
    }
}

/// Rebuilds a table: creates a new table, copies the records, and renames it.
///
/// It is needed for changes that `ALTER TABLE` does not support. The procedure is that of "Making
/// Other Kinds Of Table Schema Changes" in SQLite's documentation of `ALTER TABLE`.
struct SQLiteTableRebuild {
    private let table: SQLTable
    private let connection: SQLiteConnection
    /// The expression over the stored columns for each column; nil if every column comes from the
    /// stored column with its name.
    private let sources: [String: String]?
    private let unmanaged: SQLiteUnmanagedParts
    private let reporter: MigrationReporter
    private let setAside: SQLiteSetAside?
    private let dialect = SQLiteDialect()

    /// Creates a rebuild.
    ///
    /// - Parameters:
    ///   - table: the declared table.
    ///   - connection: the connection.
    ///   - sources: the expression over the stored columns for each column, by its name. A column
    ///     without one receives its default. If the dictionary is nil, columns keep their values.
    ///   - unmanaged: keeps what other programs made on the table.
    ///   - reporter: counts the records.
    ///   - setAside: receives records that violate a new unique index; `nil` if they are an error.
    init(
        _ table: SQLTable, _ connection: SQLiteConnection, sources: [String: String]? = nil,
        _ unmanaged: SQLiteUnmanagedParts, _ reporter: MigrationReporter,
        _ setAside: SQLiteSetAside?
    ) {
        self.unmanaged = unmanaged
        self.reporter = reporter
        self.setAside = setAside
        self.table = table
        self.connection = connection
        self.sources = sources
    }

    /// Rebuilds the table with its declared columns, indexes and checks. Columns that do not exist
    /// yet receive their default.
    ///
    /// The cost is proportional to the number of records: they are checked, copied and indexed
    /// again.
    func run() throws {
        let text = SQLSchemaText(table, dialect)
        let name = dialect.quoted(table.name)
        let new = "repository_rebuild_\(table.name)"
        let found = try sources ?? storedColumns()
        let columns = table.columns.filter { found[$0.name] != nil }
        let expressions = columns.compactMap { found[$0.name] }
        let rows = sources == nil ? name : self.rows(columns, expressions)
        let broken = try Set(
            columns.filter { column in
                guard let check = text.check(of: column) else { return false }
                return try SQLiteCatalog.hasRow(
                    "SELECT 1 FROM \(rows) WHERE NOT (\(check)) LIMIT 1", connection)
            }.map(\.name))
        // A CHECK that stored records violate is left out. The generated code enforces it for
        // records that are written.
        let checks = try table.entity.checks.filter { check in
            guard let condition = text.condition(of: check),
                check.condition.fields.allSatisfy({ isThere($0, among: found) })
            else { return false }
            return try !SQLiteCatalog.hasRow(
                "SELECT 1 FROM \(rows) WHERE NOT (\(condition)) LIMIT 1", connection)
        }
        try connection.execute(
            text.createTable(
                as: new, where: { !broken.contains($0.name) }, keeping: { checks.contains($0) }))
        let folded = zip(columns, expressions).filter { $0.0.foldedName != nil }
        let added = try unmanaged.addColumns(of: table.name, to: new)
        let names = columns.map(\.name) + folded.compactMap(\.0.foldedName) + added
        let values =
            expressions + folded.map { dialect.caseFolded($0.1) } + added.map(dialect.quoted)
        try connection.count(reporter, table.name) { condition in
            try connection.execute(
                "INSERT INTO \(dialect.quoted(new)) (\(dialect.list(names))) SELECT \(values.joined(separator: ", ")) FROM \(name)\(condition)"
            )
        }
        try unmanaged.replace(table.name, by: new)
        for index in table.entity.indexes {
            try Self.create(index, table, connection, setAside, namesRecords: sources != nil)
        }
    }

    /// Returns the columns that exist, as expressions by name.
    private func storedColumns() throws -> [String: String] {
        Dictionary(
            try SQLiteCatalog.columns(of: table.name, connection).map {
                ($0.name, dialect.quoted($0.name))
            }, uniquingKeysWith: { $1 })
    }

    /// Returns the stored records under the declared names of the columns, as a subquery.
    private func rows(_ columns: [SQLColumn], _ expressions: [String]) -> String {
        let list = zip(columns, expressions).map { "\($1) AS \(dialect.quoted($0.name))" }
        return "(SELECT \(list.joined(separator: ", ")) FROM \(dialect.quoted(table.name)))"
    }

    /// Returns whether all columns of a field already exist.
    private func isThere(_ field: Int, among columns: [String: String]) -> Bool {
        table.columns(ofField: field).allSatisfy { columns[table.columns[$0].name] != nil }
    }

    /// Creates an index over the stored records.
    ///
    /// - Parameters:
    ///   - index: the index.
    ///   - table: the table.
    ///   - connection: the connection.
    ///   - setAside: receives records that violate a unique index; `nil` if they are an error.
    ///   - namesRecords: whether the error names records that share values.
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    static func create(
        _ index: TableIndex, _ table: SQLTable, _ connection: SQLiteConnection,
        _ setAside: SQLiteSetAside? = nil, namesRecords: Bool = false
    ) throws {
        try IndexHashes(table, connection).complete(for: index)
        do {
            try connection.execute(SQLSchemaText(table, SQLiteDialect()).createIndex(index))
        } catch let error as SQLiteError
            where error.primaryCode == SQLITE_CONSTRAINT && setAside != nil
        {
            try setAside?.removeDuplicates(of: index, table, connection)
            try connection.execute(SQLSchemaText(table, SQLiteDialect()).createIndex(index))
        } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
            let shared =
                namesRecords ? try SQLMigratedRecords(table, connection).sharing(index) : ""
            throw CRUDRepositoryError.schemaMismatch(
                store: "SQLite",
                differences: [
                    "the unique index '\(index.name)' of '\(table.name)' cannot be built: stored records share its values\(shared)"
                ])
        }
    }
}
