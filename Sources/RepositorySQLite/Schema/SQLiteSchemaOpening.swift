internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Migrates a database to a schema. It runs on the writing connection, outside a transaction.
///
/// It first compares without writing: a database that cannot be migrated is left unchanged, byte
/// for byte. Then it enables the write-ahead log, unless the schema has an unmanaged table. All
/// changes happen in one transaction. The comparison is repeated in that transaction, because
/// another process may have migrated the database in the meantime.
///
/// Foreign keys are disabled during the migration.
struct SQLiteSchemaOpening {
    private let schema: StoreSchema
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let location: SQLiteLocation
    private let openSets: Set<String>
    /// The released versions of the schema.
    private let history: SchemaHistory?

    /// Creates a migration.
    ///
    /// - Parameter openSets: the names of the schemas that the store has open.
    /// - Throws: `schemaMismatch` if the history of the schema cannot be read.
    init(
        _ schema: StoreSchema, _ tables: [SQLTable], _ connection: SQLiteConnection,
        _ location: SQLiteLocation, openSets: Set<String>
    ) throws {
        history = try schema.history()
        self.schema = schema
        self.openSets = openSets
        self.tables = tables
        self.connection = connection
        self.location = location
    }

    /// What a migration found and made.
    struct Result {
        /// Whether reads can wait for a writer, because the database has no write-ahead log.
        let readsCanWait: Bool
        /// The JSON of the schema description before the migration.
        let before: String?
        /// The JSON of the schema description after the migration.
        let after: String?
    }

    /// Runs the migration.
    ///
    /// - Throws: `schemaMismatch` with every difference; `storageFull`; `migrating` if another
    ///   program is migrating the database; `CancellationError`.
    func run() throws -> Result {
        do {
            return try open()
        } catch let error as SQLiteError
            where error.isRetryable && SQLiteMigrationMark.isHeld(for: connection)
        {
            throw SQLiteErrors.migrating(error)
        }
    }

    private func open() throws -> Result {
        let managed = tables.filter(\.entity.isManaged)
        let extras = extras()
        let encryption = EncryptionUpkeep(managed, connection)
        let (before, isDone) = try transaction("BEGIN") {
            let plan = try plan()
            try plan.requireFit()
            try encryption.check()
            // An older program creates no indexes on newer data.
            let isDone =
                try plan.opening.isDataNewer
                || plan.isDone && extras.allSatisfy { try $0.areComplete() }
                    && encryption.isComplete()
            if !isDone { try requireAllowed(plan, extras) }
            return (try SQLiteSchemaTable.json(connection), isDone)
        }
        // The journal mode is a property of the file. A file with an unmanaged table belongs to
        // another program, so its journal mode is not changed.
        if managed.count == tables.count { try connection.enableWriteAheadLog(location) }
        var descriptions = (before: before, after: before)
        if !isDone { descriptions = try update(extras, encryption) }
        let readsCanWait =
            try !location.isInMemory && SQLiteCatalog.journalMode(connection) != "wal"
        return Result(
            readsCanWait: readsCanWait, before: descriptions.before, after: descriptions.after)
    }

    /// What the store keeps beside the managed tables, in the order in which it is completed.
    private func extras() -> [any SQLExtra] {
        let managed = tables.filter(\.entity.isManaged)
        return [
            SQLiteReferenceIndexes(managed, connection), SQLiteFoldedColumns(managed, connection),
            SQLiteSearchTables(managed, connection), ChunkTables(managed, connection),
        ]
    }

    /// Checks that the mode of the opening allows the changes.
    ///
    /// - Throws: `schemaMismatch`.
    private func requireAllowed(_ plan: SQLiteSchemaPlan, _ extras: [any SQLExtra]) throws {
        guard schema.opening == .refuse else { return }
        var refused = plan.refusedChanges
        // The store's own indexes and columns of new tables and columns are missing, too.
        if refused.isEmpty, plan.isDone, try !extras.allSatisfy({ try $0.areComplete() }) {
            refused.append("indexes must be built")
        }
        try plan.opening.requireAllowed(refused, in: "SQLite")
    }

    /// Applies the migration plan and completes the store's own indexes and columns, in one
    /// transaction.
    ///
    /// - Returns: the JSON of the schema description before and after the migration.
    private func update(
        _ extras: [any SQLExtra], _ encryption: EncryptionUpkeep<SQLiteConnection>
    ) throws -> (before: String?, after: String?) {
        // Rebuilding a table drops it, which must not delete the records that refer to it. SQLite
        // ignores this setting inside a transaction.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer { restoreForeignKeys() }
        return try connection.cancellable {
            var run: SQLiteMigrationRun?
            defer { run?.end() }
            return try transaction("BEGIN IMMEDIATE") {
                let before = try SQLiteSchemaTable.json(connection)
                let plan = try plan()
                try plan.requireFit()
                // Another program may have written notes since they were read.
                try encryption.check()
                if !plan.isDone {
                    try requireAllowed(plan, extras)
                    try encryption.move(plan.opening)
                    let started = try SQLiteMigrationRun(
                        plan, schema, tables, connection, location)
                    run = started
                    try started.migrate()
                    try SQLiteSchemaTable.write(plan.description, connection)
                }
                for extra in extras { try extra.complete() }
                try encryption.noteKey()
                try encryption.complete(after: plan.opening) {
                    try SQLiteSchemaTable.description(connection)
                }
                let after = try SQLiteSchemaTable.json(connection)
                try run?.prepareCommit()
                return (before, after)
            } committed: {
                run?.committed()
            }
        }
    }

    /// Returns what ``run()`` would do, in one read transaction.
    func migrationPlan() throws -> MigrationPlan {
        try transaction("BEGIN") {
            let plan = try plan()
            let isComplete =
                try plan.opening.isDataNewer || extras().allSatisfy { try $0.areComplete() }
            var result = plan.opening.plan(of: "SQLite")
            result.problems = plan.differences
            result.isNeeded = !plan.isDone || !isComplete
            result.isRefusedByRefuse =
                !plan.differences.isEmpty || !plan.refusedChanges.isEmpty
                || plan.isDone && !isComplete
            guard plan.differences.isEmpty else { return result }
            result.tables = try SQLiteMigrationSize(plan, connection).tables()
            result.neededBytes = SQLiteMigrationSize.needed(for: result.tables)
            result.freeBytes = connection.path.flatMap { schema.control.freeBytes($0) }
            return result
        }
    }

    /// Compares the database with the schema, in the current transaction.
    private func plan() throws -> SQLiteSchemaPlan {
        try SQLiteSchemaPlan(schema, tables, connection, openSets: openSets, history: history)
    }

    /// Runs `body` in a transaction, and rolls back if it throws.
    private func transaction<R>(
        _ begin: String, _ body: () throws -> R, committed: () -> Void = {}
    ) throws -> R {
        try connection.execute(begin)
        do {
            let result = try body()
            try connection.commit()
            committed()
            return result
        } catch {
            // A rollback can fail too; the first error is the one to report.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Enables foreign keys again after the transaction.
    private func restoreForeignKeys() {
        // This cannot fail outside a transaction. If it did, the next statement on the connection
        // would report the cause.
        try? connection.execute("PRAGMA foreign_keys = ON")
    }
}
