package import RepositoryRuntime
package import StoredSchema

/// Converts the records of a table by the changes of versions: creates a new table, copies the
/// records into it, and drops the old one.
///
/// If SQL can express the changes, one statement copies all records. Otherwise each record is read,
/// converted by the program and written, in constant memory.
///
/// It runs inside the transaction of the migration, without references that the database checks.
/// The new table has no indexes, no rules and no references.
package struct SQLTableConversion {
    private let migration: TableMigration
    private let table: SQLTable
    private let schema: StoreSchema
    private let stored: SchemaDescription
    private let ids: IDMigration?
    private let session: any SQLMigrationSession
    private let reporter: MigrationReporter
    private let setAside: SQLSetAside?

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - migration: the changes.
    ///   - table: the declared table.
    ///   - schema: the declared schema.
    ///   - stored: the stored description of all tables of the schema.
    ///   - ids: the new ids of records; nil if no ids change.
    ///   - session: the connection.
    ///   - reporter: counts the records.
    ///   - setAside: receives the records that cannot be migrated; nil if they are an error.
    package init(
        _ migration: TableMigration, _ table: SQLTable, _ schema: StoreSchema,
        stored: SchemaDescription, _ ids: IDMigration?, _ session: any SQLMigrationSession,
        _ reporter: MigrationReporter, _ setAside: SQLSetAside?
    ) {
        self.migration = migration
        self.table = table
        self.schema = schema
        self.stored = stored
        self.ids = ids
        self.session = session
        self.reporter = reporter
        self.setAside = setAside
    }

    private var name: String { session.dialect.quoted(table.name) }
    /// The name of the old table.
    private var aside: String { session.aside(table.name) }

    /// Converts the records. The stored table already has its declared name.
    ///
    /// - Returns: whether the program converted each record, and may have dropped some.
    /// - Throws: `schemaMismatch` if records cannot be converted; `unsupported` if the schema does
    ///   not name its entities.
    package func run() throws -> Bool {
        let old = session.dialect.quoted(aside)
        try session.change("ALTER TABLE \(name) RENAME TO \(old)")
        try session.change(session.createStatement(of: table, hasRules: false))
        let isCopied = try copyByStatement()
        if !isCopied { try convert() }
        try session.endConversion(migration, of: table)
        return !isCopied
    }

    /// Copies the records by one statement, if SQL can express the changes.
    ///
    /// - Returns: whether they are copied.
    private func copyByStatement() throws -> Bool {
        let dialect = session.dialect
        guard let sources = SQLColumnSources(migration, table, schema, dialect) else {
            return false
        }
        try sources.requireValidFills(table, in: session.storeName)
        let columns = table.columns.filter { sources.expressions[$0.name] != nil }
        let values = columns.compactMap { sources.expressions[$0.name] }
        try reporter.begin(table.name)
        let start = reporter.done
        // If a constraint is violated, converting each record finds out which one violates it.
        let copied = try session.unlessViolated("repository_copy") {
            try session.change(
                "INSERT INTO \(name) (\(dialect.list(columns.map(\.name)))) SELECT \(values.joined(separator: ", ")) FROM \(dialect.quoted(aside))"
            )
        }
        guard let copied else { return false }
        reporter.end(copied, since: start)
        return true
    }

    /// Copies the records through the program.
    private func convert() throws {
        let entity = zip(schema.tables, schema.entities).first { $0.0.name == table.name }?.1
        guard let entity else {
            throw CRUDRepositoryError.unsupported(
                "converting the records of '\(table.name)' for a schema that does not name its entities",
                by: session.storeName)
        }
        try convert(entity)
    }

    private func convert<E: Entity>(_ type: E.Type) throws {
        let run = try RecordConversionRun(
            migration, type, ids, reporter, settingAside: setAside != nil)
        let reader = SQLStoredRecords(stored, renamed: aside, session, setAside)
        let writer = session.writer(of: table)
        try run.run(reader, store: session.storeName) { entity, record in
            try writer.add(entity) { reason in
                // The record is refused later than it is read.
                try run.refusals.refuse(
                    reason, record.place, id: record.id, of: migration
                ) { try reader.setAside(record.place, of: migration, $0) }
            }
        } finish: {
            try writer.flush()
        }
    }
}
