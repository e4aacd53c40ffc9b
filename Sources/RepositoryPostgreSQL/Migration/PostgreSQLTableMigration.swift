#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Converts the records of a table by the changes of versions: creates a new table, copies the
    /// records into it, and drops the old one.
    ///
    /// If SQL can express the changes, one statement copies all records. Otherwise each record is
    /// read, converted by the program and written, in constant memory.
    ///
    /// It runs inside the transaction of the migration, after the references were dropped. The new
    /// table has no indexes, no rules and no references.
    struct PostgreSQLTableMigration {
        private let migration: TableMigration
        private let table: SQLTable
        private let schema: StoreSchema
        private let stored: SchemaDescription
        private let ids: IDMigration?
        private let connection: PostgreSQLBlockingConnection
        private let reporter: MigrationReporter
        private let setAside: PostgreSQLSetAside?
        private let dialect = PostgreSQLDialect()

        /// Creates a migration.
        ///
        /// - Parameters:
        ///   - migration: the changes.
        ///   - table: the declared table.
        ///   - schema: the declared schema.
        ///   - stored: the stored description of all tables of the schema.
        ///   - ids: the new ids of records; `nil` if no ids change.
        ///   - connection: the connection.
        ///   - reporter: counts the records.
        ///   - setAside: receives the records that cannot be migrated; `nil` if they are an error.
        init(
            _ migration: TableMigration, _ table: SQLTable, _ schema: StoreSchema,
            stored: SchemaDescription, _ ids: IDMigration?,
            _ connection: PostgreSQLBlockingConnection, _ reporter: MigrationReporter,
            _ setAside: PostgreSQLSetAside?
        ) {
            self.migration = migration
            self.table = table
            self.schema = schema
            self.stored = stored
            self.ids = ids
            self.connection = connection
            self.reporter = reporter
            self.setAside = setAside
        }

        private var name: String { dialect.quoted(table.name) }
        /// The name of the old table.
        private var aside: String { PostgreSQLStoredTable.aside(table.name) }

        /// Converts the records. The stored table already has its declared name.
        ///
        /// - Returns: whether the program converted each record, and may have dropped some.
        /// - Throws: `schemaMismatch` if records cannot be converted; `unsupported` if the schema
        ///   does not name its entities.
        func run() throws -> Bool {
            try connection.run("ALTER TABLE \(name) RENAME TO \(dialect.quoted(aside))")
            try connection.run(
                SQLSchemaText(table, dialect).createTable(
                    where: { _ in false }, keeping: { _ in false }))
            let isCopied = try copyByStatement()
            if !isCopied { try convert() }
            try connection.run("DROP TABLE \(dialect.quoted(aside)) CASCADE")
            return !isCopied
        }

        /// Copies the records by one statement, if SQL can express the changes.
        ///
        /// - Returns: whether they are copied.
        private func copyByStatement() throws -> Bool {
            guard let sources = SQLColumnSources(migration, table, schema, dialect) else {
                return false
            }
            try sources.requireValidFills(table, in: "PostgreSQL")
            let columns = table.columns.filter { sources.expressions[$0.name] != nil }
            let values = columns.compactMap { sources.expressions[$0.name] }
            try reporter.begin(table.name)
            let start = reporter.done
            try connection.runSimple("SAVEPOINT repository_copy")
            do {
                let copied = try connection.run(
                    "INSERT INTO \(name) (\(dialect.list(columns.map(\.name)))) SELECT \(values.joined(separator: ", ")) FROM \(dialect.quoted(aside))"
                )
                try connection.runSimple("RELEASE SAVEPOINT repository_copy")
                reporter.end(copied.changed, since: start)
                return true
            } catch let error as PostgreSQLError where error.isConstraint {
                // Converting each record finds out which one violates the constraint.
                try connection.runSimple("ROLLBACK TO SAVEPOINT repository_copy")
                try connection.runSimple("RELEASE SAVEPOINT repository_copy")
                return false
            }
        }

        /// Copies the records through the program.
        private func convert() throws {
            let entity = zip(schema.tables, schema.entities).first { $0.0.name == table.name }?.1
            guard let entity else {
                throw CRUDRepositoryError.unsupported(
                    "converting the records of '\(table.name)' for a schema that does not name its entities",
                    by: "PostgreSQL")
            }
            try convert(entity)
        }

        private func convert<E: Entity>(_ type: E.Type) throws {
            let run = try RecordConversionRun(
                migration, type, ids, reporter, settingAside: setAside != nil)
            let reader = PostgreSQLStoredRecords(stored, renamed: aside, connection, setAside)
            let writer = PostgreSQLConvertedRecords(table, connection)
            try run.run(reader, store: "PostgreSQL") { entity, record in
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

    extension SQLMigratedRecords {
        /// Finds records in a table of PostgreSQL.
        init(_ table: SQLTable, _ connection: PostgreSQLBlockingConnection) {
            self.init(table, PostgreSQLDialect()) { text in
                let result = try connection.run(text)
                return (0..<result.count).map { result.text($0, 0) ?? "" }
            }
        }
    }
#endif
