public import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema
internal import Synchronization

/// A store of entities in any SQL database for which there is a ``SQLDriver``.
///
/// Each entity has a table with a typed column per field.
///
/// ```swift
/// let library = Library(SQLStore(MyDriver(path: "library.db")))
/// ```
///
/// One connection writes, so that writes and transactions take turns; others read. Queries run in
/// the database as far as it decides them exactly; the rest is done here. The rules of fields,
/// unique indexes and references are checked by the store, in the transaction of the write.
///
/// Errors are `CRUDRepositoryError`, with ``SQLDriverError`` as the underlying error.
public final class SQLStore: EntityStore, SQLEntityStore {
    /// The kind of store: the name of the driver.
    public let name: String
    /// The capabilities of the store. It has no backups, and no search index: a search reads every
    /// record.
    public let capabilities: StoreCapabilities
    /// The observers of the store. They are notified of its own commits.
    public let changes = StoreChanges()
    let database: Database
    let plans = TablePlans()
    let watch: SchemaWatch
    private let opened = Mutex<[StoreSchema]>([])

    /// The access of single operations.
    var access: StoreAccess { StoreAccess(database: database, store: self) }

    /// Creates a store. It connects on first use.
    ///
    /// - Parameters:
    ///   - driver: the database.
    ///   - readers: the number of connections that read, at least 1.
    ///   - lockTimeout: the time for which a write is tried again while other programs hold locks or
    ///     commit first. After that it throws a retryable `transactionConflict`, and nothing is
    ///     changed.
    ///   - encryption: encrypts the fields that schemas declare to be encrypted. Opening such a
    ///     schema without it throws `keyNotFound`.
    public init(
        _ driver: some SQLDriver, readers: Int = 4, lockTimeout: Duration = .seconds(10),
        encryption: (any FieldCipher)? = nil
    ) {
        name = driver.name
        database = Database(
            driver, readers: readers, lockTimeout: lockTimeout, encryption: encryption)
        watch = SchemaWatch(driver.name)
        var support: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native,
            .uniqueExchange: .native, .references: .native, .reset: .native, .persistent: .native,
            .fractionalSeconds: .native, .controlCharacters: .native, .queries: .native,
            .selections: .native, .indexScans: .native, .idScans: .native, .updates: .native,
            .conflictPolicies: .native, .transactions: .native, .snapshots: .native,
            .observation: .native, .externalData: .native, .closing: .native, .sql: .native,
        ]
        if driver.isDurable { support[.durable] = .native }
        if driver.isShared { support[.multipleProcesses] = .native }
        capabilities = StoreCapabilities(support)
    }

    /// Creates or upgrades the tables of a schema; see `EntityStore`.
    ///
    /// - Throws: `schemaMismatch` with every difference, in which case nothing was changed;
    ///   `keyNotFound` if the key of encrypted fields is missing; `unsupported` for unmanaged tables,
    ///   and for indexes that the database cannot have.
    public func open(_ schema: StoreSchema) async throws {
        try database.life.check()
        if isOpen(schema) { return }
        let tables = try sqlTables(schema)
        let openSets = Set(opened.withLock { $0.map(\.name) })
        let (database, name) = (database, name)
        try await SQLDriverError.mapped(name) {
            try await database.writing { session, flag in
                try SchemaOpeningRun(
                    schema, tables, session, database, openSets: openSets, flag: flag
                ).run()
            }
        }
        watch.add(schema)
        plans.add(makePlans(schema, tables))
        opened.withLock { opened in
            opened.removeAll { $0.name == schema.name }
            opened.append(schema)
        }
    }

    /// Returns what opening a schema would change. Nothing is changed.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        let tables = try sqlTables(schema)
        let openSets = Set(opened.withLock { $0.map(\.name) })
        let database = self.database
        return try await SQLDriverError.mapped(name) {
            try await database.writing { session, flag in
                try SchemaOpeningRun(
                    schema, tables, session, database, openSets: openSets, flag: flag
                ).migrationPlan()
            }
        }
    }

    private func makePlans(_ schema: StoreSchema, _ tables: [SQLTable]) -> [TablePlan] {
        let entities = Dictionary(
            zip(schema.tables, schema.entities).map { ($0.0.name, $0.1) },
            uniquingKeysWith: { $1 })
        return tables.map { TablePlan($0, entities[$0.name], among: tables, database.dialect) }
    }

    /// Returns the tables of a schema.
    ///
    /// - Throws: `unsupported` for what the store does not have.
    private func sqlTables(_ schema: StoreSchema) throws -> [SQLTable] {
        let tables = schema.tables.map {
            SQLTable($0, in: schema, for: .plain, encryption: database.encryption)
        }
        for table in tables { try table.requireSupport(of: name, database.dialect) }
        return tables
    }

    /// Drops the tables of a schema in one transaction. Tables that another schema also declares are
    /// kept, as are all other tables of the database.
    public func reset(_ schema: StoreSchema) async throws {
        let (database, name) = (database, name)
        try await SQLDriverError.mapped(name) {
            try await database.transaction { session in
                guard var description = try SchemaTable.description(session, name),
                    description.set(schema.name) != nil
                else { return }
                let found = try session.tables()
                for table in description.tables(onlyOf: schema.name).map(\.table) {
                    var names = [table.name]
                    if table.hasExternalData {
                        names.append(ChunkTable.name(of: table.name, database.dialect))
                    }
                    for name in names where found[name] != nil {
                        try session.execute("DROP TABLE \(database.dialect.quoted(name))")
                    }
                }
                description.remove(set: schema.name)
                if found[EncryptionNotes.table] != nil {
                    if description.encryptedTables.isEmpty {
                        try session.execute("DROP TABLE \(EncryptionNotes.quoted)")
                    } else if !description.hasIndexedEncryptedFields {
                        try session.execute(EncryptionNotes.forgetIndexKey)
                    }
                }
                try SchemaTable.write(description, session)
            }
        }
        watch.remove(schema)
        opened.withLock { $0.removeAll { $0.name == schema.name } }
        changes.send(.anything)
    }

    /// Begins a transaction when no other one is open. Other writers wait for its end; readers do
    /// not.
    ///
    /// References are checked when the transaction is committed.
    public func begin() async throws -> any StoreTransaction {
        try await SQLDriverError.mapped(name) {
            SQLTransaction(
                self, try await TransactionAccess.begin(database, watch, plans, changes))
        }
    }

    /// Opens a connection that reads the last commit, regardless of later commits.
    public func snapshot() async throws -> any StoreTransaction {
        try await SQLDriverError.mapped(name) {
            SQLSnapshot(self, try await SnapshotAccess.begin(database))
        }
    }

    /// Computes the folded texts of fields declared `ignoringCase` and the hashes of encrypted fields,
    /// which another program may have left outdated, and removes external data that no record has.
    /// The indexes are the database's own.
    public func rebuildIndexes() async throws {
        let plans = self.plans.all
        try await SQLDriverError.mapped(name) {
            try await database.transaction { session in
                for plan in plans {
                    try FoldedColumns(plan.table, session).fill()
                    try IndexHashes(plan.table, session).repair()
                    if let chunks = plan.chunks { try session.execute(chunks.deleteStray) }
                }
            }
        }
    }

    /// Checks the store; see `EntityStore`. The hashes in indexes over encrypted fields are compared
    /// with the values, and external data with the records that have it.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        let plans = plans.all.filter { schema.table($0.table.name) != nil }
            .sorted { $0.table.name < $1.table.name }
        let check = RecordCheck(self, schema, hashesEncrypted: true) { [database, name] in
            try await SQLDriverError.mapped(name) {
                try await database.read { session in
                    try plans.flatMap { plan in
                        let stray = try plan.chunks.flatMap { try session.integer($0.countStray) }
                        return try IndexHashes(plan.table, session).problems()
                            + (plan.chunks?.problems(stray ?? 0) ?? [])
                    }
                }
            }
        }
        return try await check.run(repair: repair)
    }

    /// Closes all connections after the operations, transactions and snapshots that have begun.
    public func close() async throws {
        await database.close { changes.finish() }
    }
}

extension SQLStore: SQLHomeStore {
    /// Returns whether a schema is open.
    package func isOpen(_ schema: StoreSchema) -> Bool { opened.withLock { $0.contains(schema) } }
}

/// The access of single operations: queries on the connections that read, and calls in transactions
/// of their own.
struct StoreAccess: SQLAccess {
    let database: Database
    let store: SQLStore

    func read<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try await database.read(body)
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (RecordWrite) throws -> R,
        diagnose: @escaping @Sendable (Session, SQLDriverError) throws -> CRUDRepositoryError?
    ) async throws -> R {
        let (watch, plans, changes) = (store.watch, store.plans, store.changes)
        return try await database.transaction(
            { session in
                try watch.check(session)
                let write = RecordWrite(session, plans)
                let result = try body(write)
                try write.checkReferences()
                return (result, write.pending.log.change)
            }, diagnose: diagnose, committed: { if let change = $0.1 { changes.send(change) } }
        ).0
    }
}

extension SQLTable {
    /// Checks that a store has what the table needs.
    ///
    /// - Throws: `unsupported`.
    func requireSupport(of store: String, _ dialect: DriverDialect) throws {
        func refuse(_ what: String) -> CRUDRepositoryError {
            var error = CRUDRepositoryError.unsupported(what, by: store)
            error.table = name
            return error
        }
        guard entity.isManaged else { throw refuse("the unmanaged table '\(name)'") }
        try requireOwnName(of: store)
        try requireEncryption(of: store)
        let folded = columns.compactMap(\.foldedName)
        for name in [name] + columns.map(\.name) + folded + entity.indexes.map(\.name)
            + [ChunkTable(self, dialect)?.name].compactMap(\.self)
        {
            if let most = dialect.syntax.longestName, name.utf8.count > most {
                throw refuse("the name '\(name)': names have at most \(most) bytes")
            }
            if name.contains(DriverDialect.mark) {
                throw refuse("the name '\(name)', which contains U+0001")
            }
        }
        for name in folded where columns.contains(where: { $0.name == name }) {
            throw refuse("the name '\(name)' of a column, which the store gives to its own")
        }
        let text = SQLSchemaText(self, dialect)
        for index in entity.indexes {
            if let key = index.keys.first(where: { operands($0.path, dialect) == nil }) {
                let path = key.path.text(in: entity.layout)
                throw refuse("'\(path)' in the index '\(index.name)' of '\(name)'")
            }
            if index.isUnique, index.condition != nil, text.condition(of: index) == nil {
                throw refuse("the condition of the unique index '\(index.name)' of '\(name)'")
            }
        }
    }
}
