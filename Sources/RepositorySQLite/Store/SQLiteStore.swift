internal import Foundation
public import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// A store of entities in an SQLite database.
///
/// Each entity has a table with a typed column per field.
///
/// ```swift
/// let library = Library(SQLiteStore(path: "library.sqlite"))
/// ```
///
/// When a write returns, its changes are synced to disk. Concurrent writes share a commit. Reads
/// never wait for a writer, in this process or another. Other programs that use SQLite can read the
/// file and, with care, write it.
///
/// If another program removes, replaces or renames the file or its write-ahead log while the store
/// is open, the next write throws `storeMoved` and writes nothing. From then on, every other
/// operation throws it too. A new store opens the file that exists then.
///
/// If a task is cancelled before its write begins, the write does not happen. A write that has
/// begun completes as if the task were not cancelled.
///
/// Errors are `CRUDRepositoryError`, with ``SQLiteError`` as the underlying error. The connections
/// are closed by ``close()``, or when the last reference to the store is released.
public final class SQLiteStore: EntityStore, SQLiteEntityStore {
    /// The kind of store.
    public let name = "SQLite"
    /// The capabilities: all of them, except that a database in memory is neither persistent nor
    /// shared with other processes.
    public let capabilities: StoreCapabilities

    /// The observers of the store.
    public let changes = StoreChanges()
    /// The connections of the database.
    let database: SQLiteDatabase
    var access: SQLiteDatabase { database }
    /// The plans of the tables in all open schemas.
    let plans = EntityPlans()
    /// The stores of the tenants of a database in memory.
    let tenantStores = TenantsInMemory<SQLiteStore>()
    /// The open schemas.
    let opened = Mutex<[StoreSchema]>([])

    /// Creates a store for a database file. The file is created on first use if it does not exist.
    ///
    /// - Parameters:
    ///   - path: the path of the file. Relative paths start at the working directory. The folder
    ///     must exist.
    ///   - busyTimeout: the time that an operation waits for a lock of another process, before it
    ///     throws a retryable error. Within the process, an operation waits the same time, but at
    ///     least ten minutes, for a transaction, a write or reads of the same store, as long as
    ///     none of them ends. A cancelled task stops waiting.
    ///   - writerTimeout: the time that a write or a transaction waits for other writers of this
    ///     store; `nil` for the limit of `busyTimeout`. After that it throws a retryable error, and
    ///     nothing is changed.
    ///   - trace: receives each statement after it has run, on the thread that ran it: its SQL with
    ///     placeholders for values, its duration and its number of rows. The function must return
    ///     quickly. It never receives bound values.
    ///   - encryption: encrypts the fields that schemas declare to be encrypted. Opening such a
    ///     schema without it throws `keyNotFound`.
    public convenience init(
        path: String, busyTimeout: Duration = .seconds(10), writerTimeout: Duration? = nil,
        trace: (@Sendable (SQLiteTracedStatement) -> Void)? = nil,
        encryption: (any FieldCipher)? = nil
    ) {
        var location = SQLiteLocation.file(path, busyTimeout: busyTimeout)
        location.writerTimeout = writerTimeout
        location.trace = trace
        location.encryption = encryption
        self.init(location)
    }

    /// Creates a store with a database in memory, for tests and previews. The database is deleted
    /// with the store.
    ///
    /// - Parameters:
    ///   - trace: receives each statement; see
    ///     ``init(path:busyTimeout:writerTimeout:trace:encryption:)``.
    ///   - encryption: encrypts the fields that schemas declare to be encrypted.
    public static func inMemory(
        trace: (@Sendable (SQLiteTracedStatement) -> Void)? = nil,
        encryption: (any FieldCipher)? = nil
    ) -> SQLiteStore {
        var location = SQLiteLocation.inMemory()
        location.trace = trace
        location.encryption = encryption
        return SQLiteStore(location)
    }

    /// Creates a store for a location. The database is opened on first use.
    ///
    /// The capabilities depend on the location: a database in memory is not shared, and a
    /// transaction or a snapshot copies it.
    init(_ location: SQLiteLocation) {
        database = SQLiteDatabase(location, changes)
        var support: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native,
            .uniqueExchange: .native, .references: .native,
            .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
            .queries: .native, .selections: .native, .indexScans: .native,
            .idScans: .native, .updates: .native,
            .conflictPolicies: .native, .transactions: .native, .snapshots: .native,
            .observation: .native, .externalData: .native, .closing: .native,
            .backups: .native, .compaction: .native, .sql: .native,
        ]
        if location.isInMemory {
            support[.transactions] = .emulated(cost: "the database is copied when one begins")
            support[.snapshots] = .emulated(cost: "the database is copied")
        }
        if !location.isInMemory {
            support[.persistent] = .native
            support[.durable] = .native
            support[.multipleProcesses] = .native
            support[.externalObservation] = .native
            support[.changeState] = .native
        }
        capabilities = StoreCapabilities(support)
    }

    /// Creates or migrates the tables of a schema; see `EntityStore`.
    ///
    /// An existing table that another program created is taken over if it has the declared columns.
    /// A table declared `manage: false` is verified each time, and neither created nor changed. A
    /// database with such a table keeps its journal mode.
    ///
    /// - Throws: `schemaMismatch` with every difference, in which case nothing was written;
    ///   `keyNotFound` if the key of encrypted fields is missing; `databaseError`, also for a file
    ///   that is not a database.
    public func open(_ schema: StoreSchema) async throws {
        try database.life.check()
        if isOpen(schema) { return }
        let encryption = database.location.encryption
        let tables = schema.tables.map { SQLTable($0, in: schema, encryption: encryption) }
        for table in tables {
            try table.requireConditions(of: name)
            try table.requireNames(of: name)
            try table.requireEncryption(of: name)
        }
        let location = database.location
        let openSets = Set(opened.withLock { $0.map(\.name) })
        try requireFile(for: schema)
        let readsCanWait = try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                let opening = try SQLiteSchemaOpening(
                    schema, tables, connection, location, openSets: openSets
                )
                .run()
                let watch = connection.watch as? SQLiteSchemaWatch ?? SQLiteSchemaWatch()
                watch.add(schema, before: opening.before, after: opening.after)
                connection.watch = watch
                return opening.readsCanWait
            }
        }
        if readsCanWait { database.readsCanWait.store(true, ordering: .relaxed) }
        plans.add(tables)
        opened.withLock { opened in
            opened.removeAll { $0.name == schema.name }
            opened.append(schema)
        }
    }

    /// Drops the tables of a schema in one transaction. Tables that another schema also declares
    /// are kept, as are all other tables of the file.
    ///
    /// - Throws: `unsupported` if one of the tables is unmanaged, in which case nothing was
    ///   dropped.
    public func reset(_ schema: StoreSchema) async throws {
        try database.life.check()
        let opened = opened.withLock { $0.filter { $0.name == schema.name } }
        let tables = (opened + [schema]).flatMap(\.tables)
        if let foreign = tables.first(where: { !$0.isManaged }) {
            throw CRUDRepositoryError.unsupported(
                "dropping '\(foreign.name)', which is declared 'manage: false'", by: name)
        }
        try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                try SQLiteSchemaReset(schema, connection).run()
                (connection.watch as? SQLiteSchemaWatch)?.remove(schema)
                connection.log?.addAnything()
            }
        }
        self.opened.withLock { $0.removeAll { $0.name == schema.name } }
    }

    /// Begins a transaction on the writing connection. Other writers wait for its end; readers do
    /// not.
    ///
    /// References are checked when the transaction is committed. A database in memory is copied for
    /// the readers.
    public func begin() async throws -> any StoreTransaction {
        try await SQLiteTransaction(self)
    }

    /// Opens a connection that reads the last commit, regardless of later commits. Writers do not
    /// wait for it.
    ///
    /// A database in memory is copied.
    public func snapshot() async throws -> any StoreTransaction {
        try await SQLiteErrors.mapped { SQLiteSnapshot(self, try await database.snapshot()) }
    }

    /// Returns a number that changes after each commit of another process, or of another store with
    /// the same file.
    ///
    /// - Returns: `nil` for a database in memory, which no other process can change.
    /// - Throws: `storeMoved` if the database's files were removed or replaced.
    public func externalState() async throws -> UInt64? {
        try database.life.check()
        guard !database.location.isInMemory else { return nil }
        return try await SQLiteErrors.mapped {
            // It is read on the writing connection: `data_version` excludes the commits of its own
            // connection, and that connection makes all commits of this store.
            try await database.write(.bare) { connection in
                try connection.file?.check(committing: connection)
                let statement = try connection.statement("PRAGMA data_version")
                defer { statement.reset() }
                guard try statement.step() else { return nil }
                // The numbers of two connections cannot be compared.
                return UInt64(bitPattern: statement.integer(at: 0)) ^ connection.number << 32
            }
        }
    }

    /// Returns a number that is different after each commit of any program, read from the memory that
    /// SQLite shares between them; nil for a database without a write-ahead log, whose readers may
    /// wait for writers.
    ///
    /// - Throws: `unsupported` for a database in memory.
    public func changeState() async throws -> UInt64? {
        guard !database.location.isInMemory else {
            throw CRUDRepositoryError.unsupported("the state of its changes", by: name)
        }
        return try await SQLiteErrors.mapped { try database.changeState() }
    }

    /// Rebuilds the indexes of the tables in the open schemas.
    ///
    /// It also recomputes the folded text of fields declared `ignoringCase` and the hashes of encrypted
    /// fields, which another program may have left outdated, and has the next search build the index of words.
    ///
    /// - Throws: `constraintViolated` if another program has stored records that share the values
    ///   of a unique index. Nothing is changed then.
    public func rebuildIndexes() async throws {
        let plans = plans.all
        try await SQLiteErrors.mapped {
            try await database.write(.batch) { connection in
                for plan in plans where plan.table.entity.isManaged {
                    do {
                        for text in plan.folding?.columns.refill ?? [] {
                            try connection.statement(text).run()
                        }
                        try IndexHashes(plan.table, connection).repair()
                    } catch let error as SQLiteError {
                        throw SQLiteViolation(table: plan.table, id: nil).error(error)
                    }
                    if let chunks = ChunkTable(plan.table, SQLiteDialect()) {
                        try connection.execute(chunks.deleteStray)
                    }
                    // The next search indexes the records.
                    if let index = SQLiteSearchIndex(plan.table) {
                        for text in index.clear + [index.markAll] { try connection.execute(text) }
                    }
                    try connection.execute("REINDEX \(SQLiteDialect().quoted(plan.table.name))")
                }
            }
        }
    }

    /// Closes all connections after the operations, transactions and snapshots that have begun; see
    /// `EntityStore`.
    ///
    /// If no other program uses the database, its write-ahead log is written into the file and
    /// removed.
    public func close() async throws {
        await database.close { changes.finish() }
    }

    /// Throws if the file does not exist and all tables of the schema are unmanaged. Otherwise
    /// SQLite would create an empty file.
    private func requireFile(for schema: StoreSchema) throws {
        let location = database.location
        try location.checkName()
        guard !location.isInMemory, !schema.tables.isEmpty,
            schema.tables.allSatisfy({ !$0.isManaged }),
            !FileManager.default.fileExists(atPath: location.name)
        else { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: name, differences: ["there is no file '\(location.name)'"])
    }
}

extension SQLiteStore: SQLHomeStore {
    /// Returns whether a schema is open.
    package func isOpen(_ schema: StoreSchema) -> Bool { opened.withLock { $0.contains(schema) } }
}

extension SQLiteStore {
    /// Reads an entity, on the caller's thread if the read cannot wait for a writer.
    ///
    /// - Throws: `recordNotFound`; `invalidRecord` if the row cannot be decoded.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        if database.readsCanWait.load(ordering: .relaxed) {
            return try await scan(type, id: id) { try SQLiteRows.record(type, id, $0) }
        }
        return try SQLiteErrors.mapped(E.Mapper.table.name, id: id.description) {
            try database.read { connection in
                try SQLiteRows.record(type, id, connection.statements(type, plans))
            }
        }
    }

    /// Returns whether an entity with this id exists. It reads on the caller's thread if the read
    /// cannot wait for a writer.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        if database.readsCanWait.load(ordering: .relaxed) {
            return try await scan(type, id: id) { try SQLiteRows.exists(id, $0) }
        }
        return try SQLiteErrors.mapped(E.Mapper.table.name, id: id.description) {
            try database.read { connection in
                try SQLiteRows.exists(id, connection.statements(type, plans))
            }
        }
    }
}
