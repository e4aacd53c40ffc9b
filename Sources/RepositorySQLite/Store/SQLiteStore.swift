internal import Foundation
public import RepositoryRuntime
internal import Synchronization

/// Entities in a SQLite database: a table for each, with a typed column for each field.
///
/// ```swift
/// let library = Library(SQLiteStore(path: "library.sqlite"))
/// ```
///
/// A write that returned is on disk. Writes that arrive together share a commit. Reads wait for no
/// writer, neither of this process nor of another. The file can be read, and with care written, by
/// any other program that speaks SQLite.
///
/// Errors are `CRUDRepositoryError`, with ``SQLiteError`` beneath. The connections are closed when
/// the last reference to the store goes.
public final class SQLiteStore: EntityStore, SQLiteEntityStore {
    /// The kind of store.
    public let name = "SQLite"
    /// All of them; a database in memory does not last.
    public let capabilities: StoreCapabilities

    /// Who observes the store.
    public let changes = StoreChanges()
    let database: SQLiteDatabase
    var access: SQLiteDatabase { database }
    let plans = EntityPlans()
    let opened = Mutex<[StoreSchema]>([])

    /// Makes a store over a database file, which is made when it is first used and is not there.
    ///
    /// - Parameters:
    ///   - path: the file; a relative path is one from the working directory. Its folder must be there.
    ///   - busyTimeout: how long a write waits for another process that writes, before it throws an error that can be
    ///     retried.
    ///   - trace: is told of every statement after it has run, on the thread that ran it: its text, in which values are
    ///     placeholders, how long it took, and its number of rows. It must be quick. Bound values are never given to it.
    public convenience init(
        path: String, busyTimeout: Duration = .seconds(10),
        trace: (@Sendable (SQLiteTracedStatement) -> Void)? = nil
    ) {
        var location = SQLiteLocation.file(path, busyTimeout: busyTimeout)
        location.trace = trace
        self.init(location)
    }

    /// Makes a store whose database lives in memory, and as long as the store does: for tests and
    /// previews.
    ///
    /// - Parameter trace: is told of every statement: see ``init(path:busyTimeout:trace:)``.
    public static func inMemory(
        trace: (@Sendable (SQLiteTracedStatement) -> Void)? = nil
    ) -> SQLiteStore {
        var location = SQLiteLocation.inMemory()
        location.trace = trace
        return SQLiteStore(location)
    }

    init(_ location: SQLiteLocation) {
        database = SQLiteDatabase(location, changes)
        var support: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native, .references: .native,
            .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
            .queries: .native, .selections: .native, .indexScans: .native,
            .idScans: .native, .updates: .native,
            .conflictPolicies: .native, .transactions: .native, .snapshots: .native,
            .observation: .native, .sql: .native,
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
        }
        capabilities = StoreCapabilities(support)
    }

    /// Makes the database ready for a schema: see `EntityStore`.
    ///
    /// A table that is there already and was not made by this package is taken over if it has the
    /// declared columns. One that is declared `manage: false` is verified, each time, and neither made nor changed; a
    /// database that holds such a table keeps the journal mode that it has.
    /// - Throws: `schemaMismatch` with every difference, having written nothing; `databaseError`,
    ///   also for a file that
    ///   is no database.
    public func open(_ schema: StoreSchema) async throws {
        if opened.withLock({ $0.contains(schema) }) { return }
        let tables = schema.tables.map { SQLTable($0, in: schema) }
        for table in tables { try table.requireConditions(of: name) }
        let location = database.location
        let openSets = Set(opened.withLock { $0.map(\.name) })
        try requireFile(for: schema)
        let readsCanWait = try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                let readsCanWait = try SQLiteSchemaOpening(
                    schema, tables, connection, location, openSets: openSets
                )
                .run()
                let watch = connection.watch as? SQLiteSchemaWatch ?? SQLiteSchemaWatch()
                watch.add(schema)
                connection.watch = watch
                return readsCanWait
            }
        }
        if readsCanWait { database.readsCanWait.store(true, ordering: .relaxed) }
        plans.add(tables)
        opened.withLock { opened in
            opened.removeAll { $0.name == schema.name }
            opened.append(schema)
        }
    }

    /// Drops the tables of a set, in one transaction. Tables that another set declares too stay, and so do all others
    /// of the file.
    ///
    /// - Throws: `unsupported` where one of the tables is unmanaged, having dropped nothing.
    public func reset(_ schema: StoreSchema) async throws {
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

    /// Begins a transaction on the one connection that writes. Others that write wait for its end;
    /// those that read do not.
    public func begin() async throws -> any StoreTransaction {
        try await SQLiteTransaction(self)
    }

    /// A connection of its own that reads the last commit, whatever is committed afterwards; writers
    /// do not wait for it.
    public func snapshot() async throws -> any StoreTransaction {
        try await SQLiteErrors.mapped { SQLiteSnapshot(self, try await database.snapshot()) }
    }

    /// Differs after each commit of another process, or of another store over the same file.
    public func externalState() async throws -> UInt64? {
        guard !database.location.isInMemory else { return nil }
        return try await SQLiteErrors.mapped {
            // Of the writing connection, which is the one connection of this store whose own commits
            // there are: they do not count.
            try await database.write(.bare) { connection in
                let statement = try connection.statement("PRAGMA data_version")
                defer { statement.reset() }
                return try statement.step() ? UInt64(bitPattern: statement.integer(at: 0)) : nil
            }
        }
    }

    /// Makes the indexes of the schemas' tables anew.
    public func rebuildIndexes() async throws {
        let plans = plans.all
        try await SQLiteErrors.mapped {
            try await database.write(.batch) { connection in
                for plan in plans where plan.table.entity.isManaged {
                    try connection.execute("REINDEX \(SQLiteDialect().quoted(plan.table.name))")
                }
            }
        }
    }

    /// SQLite makes a file by opening it; where all tables are somebody else's there is nothing to be made.
    private func requireFile(for schema: StoreSchema) throws {
        let location = database.location
        guard !location.isInMemory, !schema.tables.isEmpty,
            schema.tables.allSatisfy({ !$0.isManaged }),
            !FileManager.default.fileExists(atPath: location.name)
        else { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: name, differences: ["there is no file '\(location.name)'"])
    }

    /// Checks that a schema is one of those that the store was opened with.
    func requireOpened(_ schema: StoreSchema) throws {
        guard opened.withLock({ $0.contains(schema) }) else {
            throw CRUDRepositoryError.unsupported("opening a schema in a transaction", by: name)
        }
    }
}

extension SQLiteStore {
    /// Reads an entity, on the caller's thread where it cannot wait for a writer.
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

    /// Whether there is an entity of this id, on the caller's thread where it cannot wait for a writer.
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
