internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Applies the steps of an opening, inside the transaction that compares again.
///
/// Columns are added and renamed in place. Other changes of columns copy the table.
struct SchemaUpgrade {
    let opening: SchemaOpening
    private let schema: StoreSchema
    let tables: [String: SQLTable]
    let session: Session
    private let store: String
    private let reporter: MigrationReporter
    private let setAside: SQLSetAside?

    init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [SQLTable],
        _ session: Session, _ store: String, _ reporter: MigrationReporter,
        _ setAside: SQLSetAside?
    ) {
        self.opening = opening
        self.schema = schema
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.session = session
        self.store = store
        self.reporter = reporter
        self.setAside = setAside
    }

    private var dialect: DriverDialect { session.dialect }

    /// Computes new ids, then applies the steps: drops, renames, functions over several tables,
    /// additions, changes, conversions, folded columns, indexes, references.
    ///
    /// - Throws: `schemaMismatch` if a new unique index or reference does not fit the records, or if
    ///   records cannot be converted.
    func run() throws {
        for forgotten in opening.forgottenDeletions {
            let count = try session.integer(
                "SELECT count(*) FROM \(dialect.quoted(forgotten.table)) WHERE \(dialect.quoted(forgotten.column)) IS NOT NULL"
            )
            try forgotten.require(noneOf: Int(count ?? 0), in: store)
        }
        let space = ScratchSpace.temporary()
        let ids = try IDMigration(opening, in: space, setsAside: setAside != nil)
        try ids?.run(store: store, SQLStoredRecords(opening.stored, session, setAside))
        for name in opening.removedTables {
            try session.execute("DROP TABLE \(dialect.quoted(name))")
        }
        let functions = SQLTablesConversion(
            opening, schema, tables, session, store, space, reporter, setAside)
        try functions.renameReplaced()
        try renameTables()
        try opening.moveCounters(session)
        let produced = try functions.run()
        let migrations = opening.migrations
        let steps = opening.steps.filter { migrations[$0.table] == nil }
        for case .dropIndex(_, let index) in steps {
            try session.execute("DROP INDEX \(dialect.quoted(index))")
        }
        for case .renameColumn(let table, let from, let to) in steps {
            try session.execute(
                "ALTER TABLE \(dialect.quoted(table)) RENAME COLUMN \(dialect.quoted(from)) TO \(dialect.quoted(to))"
            )
        }
        let changed = try change(steps)
        var converted: Set<String> = []
        for (name, migration) in migrations.sorted(by: { $0.key < $1.key }) {
            guard let table = tables[name] else { continue }
            let conversion = SQLTableConversion(
                migration, table, schema, stored: opening.stored, ids, session, store, reporter,
                setAside)
            if try conversion.run() { converted.insert(name) }
        }
        let whole = Set(produced.map(\.name)).union(migrations.keys).union(changed)
        for table in tables.values {
            let columns = FoldedColumns(table, session)
            try columns.add()
            // Of all tables: a field may have ignored case before, and other programs wrote since.
            try columns.fill()
        }
        for table in whole.sorted().compactMap({ tables[$0] }) {
            for index in table.entity.indexes { try create(index, table) }
        }
        for case .createIndex(let name, let index) in steps where !whole.contains(name) {
            guard let table = tables[name],
                let declared = table.entity.indexes.first(where: { $0.name == index })
            else { continue }
            try create(declared, table)
        }
        try checkReferences(converted.union(produced.map(\.name)))
        try completeExternalData(
            dropped: opening.removedTables + opening.replacedTables, rewritten: whole)
    }

    /// Renames tables, all of them first to names that no other table has: one may get the name of
    /// another.
    private func renameTables() throws {
        for case .renameTable(let from, let to) in opening.steps {
            let between = dialect.quoted("repository_rename_\(to)")
            try session.execute("ALTER TABLE \(dialect.quoted(from)) RENAME TO \(between)")
        }
        for case .renameTable(_, let to) in opening.steps {
            let between = dialect.quoted("repository_rename_\(to)")
            try session.execute("ALTER TABLE \(between) RENAME TO \(dialect.quoted(to))")
        }
    }

    /// Creates tables and columns, and copies the tables whose columns change.
    ///
    /// - Returns: the tables that were created or copied. They have no indexes.
    private func change(_ steps: [SchemaStep]) throws -> Set<String> {
        var (created, copied): (Set<String>, Set<String>) = ([], [])
        for step in steps {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { continue }
                try session.execute(table.createStatement(dialect))
                created.insert(name)
            case .addField(let name, let field):
                guard let table = tables[name] else { continue }
                let columns = table.columns.filter { table.fieldName($0.field) == field }
                for column in columns {
                    let definition = SQLSchemaText(table, dialect)
                        .definition(of: column, isChecked: false)
                    try session.execute(
                        "ALTER TABLE \(dialect.quoted(name)) ADD COLUMN \(definition)")
                }
            case .changeField(let name, _, .becameOptional): copied.insert(name)
            // A folded column that is left would be found, outdated, when the field ignores case
            // again, and an index would stay on the one with the earlier name.
            case .changeField(let name, let field, .folding)
            where !isFolded(name) { $0.fieldName($1.field) == field }:
                copied.insert(name)
            case .renameColumn(let name, _, let column)
            where isFolded(name) { $1.name == column }:
                copied.insert(name)
            default: break
            }
        }
        for table in copied.sorted().compactMap({ tables[$0] }) { try copy(table) }
        return created.union(copied)
    }

    /// Returns whether a column of a table has a folded column.
    private func isFolded(_ name: String, where isIt: (SQLTable, SQLColumn) -> Bool) -> Bool {
        guard let table = tables[name] else { return false }
        return table.columns.contains { isIt(table, $0) && $0.foldedName != nil }
    }

    /// Copies a table into a new one with the declared columns, in one statement.
    private func copy(_ table: SQLTable) throws {
        let (name, aside) = (
            dialect.quoted(table.name), dialect.quoted(session.aside(table.name))
        )
        try session.execute("ALTER TABLE \(name) RENAME TO \(aside)")
        try session.execute(table.createStatement(dialect))
        let columns = dialect.list(table.columns.map(\.name))
        try session.execute("INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM \(aside)")
        try session.execute("DROP TABLE \(aside)")
    }

    /// Creates an index over the stored records.
    ///
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    private func create(_ index: TableIndex, _ table: SQLTable) throws {
        let text = SQLSchemaText(table, dialect).createIndex(index)
        try session.execute("SAVEPOINT repository_index")
        do {
            try session.execute(text)
        } catch let error as SQLDriverError where error.isViolation {
            try session.execute("ROLLBACK TO SAVEPOINT repository_index")
            guard let setAside else {
                let shared =
                    opening.hasHistory
                    ? try SQLMigratedRecords(table, session).sharing(index) : ""
                throw CRUDRepositoryError.schemaMismatch(
                    store: store,
                    differences: [
                        "the unique index '\(index.name)' of '\(table.name)' cannot be built: stored records share its values\(shared)"
                    ])
            }
            try setAside.removeDuplicates(of: index, table)
            try session.execute(text)
        }
        try session.execute("RELEASE SAVEPOINT repository_index")
    }

    /// Checks the references of the tables in which records may be gone, and those that are new.
    ///
    /// - Parameter converted: the tables in which records may be gone.
    /// - Throws: `schemaMismatch` if records refer to others that are not there.
    private func checkReferences(_ converted: Set<String>) throws {
        let referring = tables.values.filter { table in
            table.references.contains { converted.contains($0.table) }
        }
        var checked = converted.union(opening.migrations.keys).union(opening.unverifiedTables)
            .union(referring.map(\.name))
        for case .addField(let name, _) in opening.steps { checked.insert(name) }
        try setAside?.resolveReferences(among: Array(tables.values), checking: checked)
        for table in checked.sorted().compactMap({ tables[$0] }) {
            guard let broken = try SQLMigratedRecords(table, session).dangling() else { continue }
            let words = "records of '\(table.name)' refer to records that are not there"
            throw CRUDRepositoryError.schemaMismatch(
                store: store, differences: [words + (opening.hasHistory ? ": \(broken)" : "")])
        }
    }
}
