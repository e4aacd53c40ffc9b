internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Carries out the functions that migrate several tables together.
///
/// The old tables get other names, under which the functions read them with their indexes. The
/// functions fill new tables, which have the declared names and no indexes yet. Then the old tables
/// are dropped and the indexes are created. Records go through one at a time.
///
/// It runs inside the transaction of the migration, with foreign keys disabled.
struct SQLiteTablesMigration {
    private let opening: SchemaOpening
    private let schema: StoreSchema
    /// The tables of the schema by name.
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    private let space: any MigrationSpace
    private let reporter: MigrationReporter
    private let setAside: SQLiteSetAside?
    private let dialect = SQLiteDialect()

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
        _ connection: SQLiteConnection, _ space: any MigrationSpace,
        _ reporter: MigrationReporter, _ setAside: SQLiteSetAside?
    ) {
        self.space = space
        self.reporter = reporter
        self.setAside = setAside
        self.opening = opening
        self.schema = schema
        self.tables = tables
        self.connection = connection
    }

    /// Returns the name that a replaced table has until it is dropped.
    static func aside(_ table: String) -> String { "repository_old_\(table)" }

    /// Gives the replaced tables other names. Foreign keys to them keep their names: those of the
    /// tables that the functions make.
    func renameReplaced() throws {
        for name in opening.replacedTables {
            try connection.renameAlone(
                dialect.quoted(name), to: dialect.quoted(Self.aside(name)))
        }
    }

    /// Runs the functions, and drops the replaced tables.
    ///
    /// - Throws: `schemaMismatch` if a function throws or records are refused.
    func run() throws {
        if opening.tableFunctions.isEmpty { return }
        let produced = opening.producedTables.sorted().compactMap { tables[$0] }
        for table in produced {
            try connection.execute(SQLSchemaText(table, dialect).createTable())
        }
        try fill()
        for name in opening.replacedTables {
            try connection.execute("DROP TABLE \(dialect.quoted(Self.aside(name)))")
        }
        for table in produced {
            for index in table.entity.indexes {
                try SQLiteTableRebuild.create(index, table, connection, namesRecords: true)
            }
        }
    }

    /// Runs the functions. Their statements end here: a table in use cannot be dropped.
    private func fill() throws {
        let storage = SQLiteMigrationStorage(
            stored: StoreSchema("stored", try opening.stored.tables.map { try EntityTable($0) }),
            tables: tables, connection, space, setAside)
        var run = TablesMigrationRun(
            schema, storage, reporter, settingAside: setAside != nil)
        try run.run(opening.tableFunctions)
        try storage.dropStages()
    }
}

/// The tables of a database during the functions of a migration.
private final class SQLiteMigrationStorage: TablesMigrationRun.Storage {
    let name = "SQLite"
    /// The stored tables. The representations of columns can depend on the tables to which they
    /// refer.
    private let stored: StoreSchema
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    private let setAside: SQLiteSetAside?
    /// The tables of ``stage(_:)``.
    private var stages: [SQLiteMigrationStage] = []
    let space: any MigrationSpace

    init(
        stored: StoreSchema, tables: [String: SQLTable], _ connection: SQLiteConnection,
        _ space: any MigrationSpace, _ setAside: SQLiteSetAside?
    ) {
        self.space = space
        self.setAside = setAside
        self.stored = stored
        self.tables = tables
        self.connection = connection
    }

    func source(
        _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
    ) throws -> any MigrationSource {
        try SQLiteMigrationSource(table, in: stored, connection, setAside)
    }

    func stage(_ table: StoredTable) throws -> any MigrationStage {
        let stage = try SQLiteMigrationStage(table, number: stages.count, connection)
        stages.append(stage)
        return stage
    }

    /// Does nothing: every record is written at once.
    func finish(_ failures: inout MigrationFailures) {}

    /// Drops the tables that kept records between two functions.
    func dropStages() throws {
        for stage in stages { try stage.drop() }
    }

    func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
        guard let table = tables[E.Mapper.table.name] else { return { _ in } }
        let insert = try SQLiteStatement(
            SQLStatements(table, SQLiteDialect()).insert, on: connection.handle, isKept: false)
        return { [connection] entity in
            defer { insert.reset() }
            var binder = SQLiteBinder(record: insert, table, in: connection.memory)
            binder.start()
            do {
                try binder.encode(entity)
                while try insert.step() {}
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                throw RecordMigrationFailure(SQLiteTableMigration.reason(error, table))
            }
        }
    }
}
