internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Converts the records of a table by the changes of versions: creates a new table, copies the
/// records into it, and drops the old one.
///
/// If SQL can express the changes, one statement copies all records. Otherwise each record is read,
/// converted by the program and written, in constant memory.
///
/// It runs inside the transaction of the migration. The new table has no indexes.
struct TableConversion {
    private let migration: TableMigration
    private let table: SQLTable
    private let schema: StoreSchema
    private let stored: SchemaDescription
    private let ids: IDMigration?
    private let session: Session
    private let store: String
    private let reporter: MigrationReporter
    private let setAside: SetAside?

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - migration: the changes.
    ///   - table: the declared table.
    ///   - schema: the declared schema.
    ///   - stored: the stored description of all tables of the schema.
    ///   - ids: the new ids of records; nil if no ids change.
    ///   - session: the connection.
    ///   - store: the kind of store, for messages.
    ///   - reporter: counts the records.
    ///   - setAside: receives the records that cannot be migrated; nil if they are an error.
    init(
        _ migration: TableMigration, _ table: SQLTable, _ schema: StoreSchema,
        stored: SchemaDescription, _ ids: IDMigration?, _ session: Session, _ store: String,
        _ reporter: MigrationReporter, _ setAside: SetAside?
    ) {
        self.migration = migration
        self.table = table
        self.schema = schema
        self.stored = stored
        self.ids = ids
        self.session = session
        self.store = store
        self.reporter = reporter
        self.setAside = setAside
    }

    private var dialect: DriverDialect { session.dialect }
    private var name: String { dialect.quoted(table.name) }
    /// The name of the old table.
    private var aside: String { StoredTableRows.aside(table.name) }

    /// Converts the records. The stored table already has its declared name.
    ///
    /// - Returns: whether the program converted each record, and may have dropped some.
    /// - Throws: `schemaMismatch` if records cannot be converted; `unsupported` if the schema does
    ///   not name its entities.
    func run() throws -> Bool {
        try session.execute("ALTER TABLE \(name) RENAME TO \(dialect.quoted(aside))")
        try session.execute(table.createStatement(dialect))
        let isCopied = try copyByStatement()
        if !isCopied { try convert() }
        try session.execute("DROP TABLE \(dialect.quoted(aside))")
        return !isCopied
    }

    /// Copies the records by one statement, if SQL can express the changes.
    ///
    /// - Returns: whether they are copied.
    private func copyByStatement() throws -> Bool {
        guard let sources = SQLColumnSources(migration, table, schema, dialect) else {
            return false
        }
        try sources.requireValidFills(table, in: store)
        let columns = table.columns.filter { sources.expressions[$0.name] != nil }
        let values = columns.compactMap { sources.expressions[$0.name] }
        try reporter.begin(table.name)
        let start = reporter.done
        try session.execute("SAVEPOINT repository_copy")
        do {
            let copied = try session.execute(
                "INSERT INTO \(name) (\(dialect.list(columns.map(\.name)))) SELECT \(values.joined(separator: ", ")) FROM \(dialect.quoted(aside))"
            )
            try session.execute("RELEASE SAVEPOINT repository_copy")
            reporter.end(copied, since: start)
            return true
        } catch let error as SQLDriverError where error.isViolation {
            // Converting each record finds out which one violates the constraint.
            try session.execute("ROLLBACK TO SAVEPOINT repository_copy")
            try session.execute("RELEASE SAVEPOINT repository_copy")
            return false
        }
    }

    /// Copies the records through the program.
    private func convert() throws {
        let entity = zip(schema.tables, schema.entities).first { $0.0.name == table.name }?.1
        guard let entity else {
            throw CRUDRepositoryError.unsupported(
                "converting the records of '\(table.name)' for a schema that does not name its entities",
                by: store)
        }
        try convert(entity)
    }

    private func convert<E: Entity>(_ type: E.Type) throws {
        let run = try RecordConversionRun(
            migration, type, ids, reporter, settingAside: setAside != nil)
        let reader = StoredRecords(stored, renamed: aside, session, setAside)
        let writer = ConvertedRecords(table, session)
        try run.run(reader, store: store) { entity, _ in try writer.add(entity) }
    }
}

/// Writes the converted records of a table.
struct ConvertedRecords {
    private let plan: TablePlan
    private let session: Session

    init(_ table: SQLTable, _ session: Session) {
        plan = TablePlan(table, nil, among: [table], session.dialect)
        self.session = session
    }

    /// Writes a record.
    ///
    /// - Throws: `RecordMigrationFailure` if the database refuses it.
    func add<E: Entity>(_ entity: E) throws {
        let row = try RecordEncoder.parameters(entity, plan)
        let isGuarded = session.dialect.syntax.failureEndsTransaction
        if isGuarded { try session.execute("SAVEPOINT repository_record") }
        do {
            try session.execute(plan.texts.insert, row)
        } catch let error as SQLDriverError where error.isViolation {
            if isGuarded {
                try session.execute("ROLLBACK TO SAVEPOINT repository_record")
                try session.execute("RELEASE SAVEPOINT repository_record")
            }
            let name = plan.table.name
            throw RecordMigrationFailure(
                error.kind == .uniqueViolation
                    ? "records of '\(name)' get the same id"
                    : "the database refuses a converted record of '\(name)'")
        }
        if isGuarded { try session.execute("RELEASE SAVEPOINT repository_record") }
    }
}

/// The tables of a database during the functions that migrate several tables together.
///
/// The old tables get other names, under which the functions read them. The functions fill new
/// tables, which have the declared names and no indexes yet.
final class FunctionTables: TablesMigrationRun.Storage {
    let name: String
    let space: any MigrationSpace
    private let stored: [StoredTable]
    private let tables: [String: SQLTable]
    private let session: Session
    private let setAside: SetAside?

    init(
        _ name: String, _ stored: [StoredTable], _ tables: [String: SQLTable],
        _ session: Session, _ space: any MigrationSpace, _ setAside: SetAside?
    ) {
        self.name = name
        self.stored = stored
        self.tables = tables
        self.session = session
        self.space = space
        self.setAside = setAside
    }

    func source(
        _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
    ) throws -> any MigrationSource {
        StoredTableSource(
            try StoredTableRows(
                table, among: stored, named: StoredTableRows.aside(table.name), session),
            setAside)
    }

    func stage(_ table: StoredTable) throws -> any MigrationStage {
        try SpaceMigrationStage(table, in: space)
    }

    func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
        guard let table = tables[E.Mapper.table.name] else { return { _ in } }
        let writer = ConvertedRecords(table, session)
        return { try writer.add($0) }
    }

    /// Does nothing: every record is written at once.
    func finish(_ failures: inout MigrationFailures) {}
}
