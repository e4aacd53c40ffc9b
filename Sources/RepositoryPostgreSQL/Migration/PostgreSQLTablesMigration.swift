#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Carries out the functions that migrate several tables together.
    ///
    /// The old tables get other names, under which the functions read them with their indexes. The
    /// functions fill new tables, which have the declared names and no indexes yet. Then the old
    /// tables are dropped and the indexes are created.
    struct PostgreSQLTablesMigration {
        private let opening: SchemaOpening
        private let schema: StoreSchema
        private let tables: [String: SQLTable]
        private let connection: PostgreSQLBlockingConnection
        private let space: any MigrationSpace
        private let reporter: MigrationReporter
        private let setAside: PostgreSQLSetAside?
        private let dialect = PostgreSQLDialect()

        /// Creates a migration.
        ///
        /// - Parameters:
        ///   - opening: the comparison with the stored description.
        ///   - schema: the declared schema.
        ///   - tables: the declared tables by name.
        ///   - connection: the connection.
        ///   - space: gets the places of records by their values.
        ///   - reporter: counts the records that the functions read.
        ///   - setAside: receives old records that cannot be read; `nil` if they are an error.
        init(
            _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [String: SQLTable],
            _ connection: PostgreSQLBlockingConnection, _ space: any MigrationSpace,
            _ reporter: MigrationReporter, _ setAside: PostgreSQLSetAside?
        ) {
            self.opening = opening
            self.schema = schema
            self.tables = tables
            self.connection = connection
            self.space = space
            self.reporter = reporter
            self.setAside = setAside
        }

        /// Gives the replaced tables other names.
        func renameReplaced() throws {
            for name in opening.replacedTables {
                let aside = dialect.quoted(PostgreSQLStoredTable.aside(name))
                try connection.run("ALTER TABLE \(dialect.quoted(name)) RENAME TO \(aside)")
            }
        }

        /// Runs the functions, and drops the replaced tables.
        ///
        /// - Returns: the tables that the functions filled. They have no indexes yet.
        /// - Throws: `schemaMismatch` if a function throws or records are refused.
        func run() throws -> [SQLTable] {
            if opening.tableFunctions.isEmpty { return [] }
            let produced = opening.producedTables.sorted().compactMap { tables[$0] }
            for table in produced {
                try connection.run(SQLSchemaText(table, dialect).createTable())
            }
            try fill()
            for name in opening.replacedTables {
                let aside = dialect.quoted(PostgreSQLStoredTable.aside(name))
                try connection.run("DROP TABLE \(aside) CASCADE")
            }
            return produced
        }

        /// Runs the functions. Their cursors end here: a table in use cannot be dropped.
        private func fill() throws {
            let storage = PostgreSQLMigrationStorage(
                opening.stored.tables, tables, connection, space, setAside)
            var run = TablesMigrationRun(
                schema, storage, reporter, settingAside: setAside != nil)
            try run.run(opening.tableFunctions)
        }
    }

    /// The tables of a database during the functions of a migration.
    private final class PostgreSQLMigrationStorage: TablesMigrationRun.Storage {
        let name = "PostgreSQL"
        private let stored: [StoredTable]
        private let tables: [String: SQLTable]
        private let connection: PostgreSQLBlockingConnection
        private let setAside: PostgreSQLSetAside?
        /// The writers, by the name of their table, and the records that the database refused.
        private var writers: [String: PostgreSQLConvertedRecords] = [:]
        private var refused: [(reason: String, id: String?)] = []
        let space: any MigrationSpace

        init(
            _ stored: [StoredTable], _ tables: [String: SQLTable],
            _ connection: PostgreSQLBlockingConnection, _ space: any MigrationSpace,
            _ setAside: PostgreSQLSetAside?
        ) {
            self.stored = stored
            self.tables = tables
            self.connection = connection
            self.space = space
            self.setAside = setAside
        }

        func source(
            _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
        ) throws -> any MigrationSource {
            PostgreSQLMigrationSource(
                try PostgreSQLStoredTable(
                    table, among: stored, named: PostgreSQLStoredTable.aside(table.name),
                    connection.encryptedTable),
                connection, setAside)
        }

        func stage(_ table: StoredTable) throws -> any MigrationStage {
            try SpaceMigrationStage(table, in: space)
        }

        func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
            let entity = E.Mapper.table
            guard let table = tables[entity.name] else { return { _ in } }
            let writer = writers[table.name] ?? PostgreSQLConvertedRecords(table, connection)
            writers[table.name] = writer
            let isSensitive = entity.key.contains { entity.layout.fields[$0].isSensitive }
            return { [unowned self] record in
                let id = isSensitive ? nil : record.id.description
                try writer.add(record) { [unowned self] in refused.append(($0, id)) }
            }
        }

        /// Writes the records that were kept back.
        func finish(_ failures: inout MigrationFailures) throws {
            for (_, writer) in writers.sorted(by: { $0.key < $1.key }) { try writer.flush() }
            for (reason, id) in refused { failures.add(reason, id: id) }
            refused = []
        }
    }
#endif
