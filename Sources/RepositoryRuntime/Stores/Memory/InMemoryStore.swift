internal import StoredSchema
internal import Synchronization

/// A store that keeps entities in memory, for tests, previews and caches. It is the reference
/// implementation with which the other stores are compared.
///
/// Records are stored as Swift values; a read costs one dictionary lookup. All records are lost
/// when the store is released.
///
/// Two locks protect the store. The mutex of `tables` is held for single steps only. The writer
/// lock `line` is held for the duration of a transaction or an asynchronous update.
public final class InMemoryStore: EntityStore {
    /// The tables and the open transaction. Reads of committed state also take this mutex.
    let tables = Mutex(StoreTables())
    /// The writer lock.
    let line: WriterLine
    /// Whether the store is open, and its open snapshots.
    let life = StoreLife()
    /// The initial entities, inserted into a table when it is first opened.
    let seed: [any Entity]
    /// How long a writer waits for a transaction; nil for no limit.
    let writerTimeout: Duration?
    /// The stores of the tenants.
    let tenantStores = TenantsInMemory<InMemoryStore>()
    /// The observers of the store.
    public let changes = StoreChanges()

    /// Creates an empty store.
    public convenience init() { self.init(seed: []) }

    /// Creates a store with initial entities.
    ///
    /// The entities are inserted when the store is opened with a schema that contains their tables.
    /// They are stored unchanged: they are neither stamped nor validated. Their external data must be
    /// in memory: created from `Data`. If several have the same
    /// id, the last one is stored.
    ///
    /// - Parameters:
    ///   - seed: the initial entities.
    ///   - writerTimeout: how long a write or a transaction waits for another transaction; nil for
    ///     no limit. After that it throws a retryable `databaseError`.
    public init(seed: [any Entity], writerTimeout: Duration? = nil) {
        self.seed = seed
        self.writerTimeout = writerTimeout
        line = WriterLine(limit: writerTimeout)
    }

    /// The kind of store.
    public var name: String { "memory" }

    /// All capabilities except persistence.
    public var capabilities: StoreCapabilities {
        StoreCapabilities([
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native,
            .uniqueExchange: .native, .references: .native,
            .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
            .queries: .native, .indexScans: .native, .idScans: .native, .updates: .native,
            .conflictPolicies: .native,
            .transactions: .native, .snapshots: .native, .observation: .native,
            .externalData: .native, .closing: .native, .compaction: .native,
        ])
    }

    /// Creates the tables of a schema and inserts the seed into the new ones.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try await writing { try open(schema, $0) }
    }

    /// Returns a plan without steps: records in memory are never migrated.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        try life.check()
        return MigrationPlan(store: name, from: .none, to: .unreleased(after: nil))
    }

    /// Opens a schema. The caller holds the lock of the tables.
    func open(_ schema: StoreSchema, _ tables: StoreTables) throws {
        if tables.schemas[schema.name] == schema { return }
        try check(schema, tables)
        tables.schemas[schema.name] = schema
        let isNew = Set(schema.tables.map(\.name).filter { tables.table(named: $0) == nil })
        try tables.add(schema, from: MemorySource())
        for entity in seed { try put(entity, in: tables, where: isNew) }
    }

    /// Compares a schema with the open ones.
    ///
    /// The description of the open schemas is rebuilt for the comparison, as if they had been
    /// stored as documents.
    ///
    /// - Throws: `schemaMismatch`. Also thrown if records of another shape are stored: they are
    ///   Swift values and cannot be migrated.
    private func check(_ schema: StoreSchema, _ tables: StoreTables) throws {
        let others = tables.schemas.values.sorted { $0.name < $1.name }
        let names = Set(schema.tables.map(\.name))
        guard others.contains(where: { $0.tables.contains { names.contains($0.name) } }) else {
            return
        }
        // The description is built only if a table is shared. Schemas without common tables cost
        // nothing.
        var description: StoreDescription?
        let openSets = Set(others.map(\.name))
        for other in others {
            description =
                SchemaOpening(other, in: description, form: .documents, openSets: openSets).result
        }
        let opening = SchemaOpening(
            schema, in: description, form: .documents, openSets: openSets)
        var differences = opening.differences.map(\.description)
        for entity in schema.entities { try compareType(entity, tables, &differences) }
        if differences.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(store: name, differences: differences)
    }

    /// Appends a difference if the table has records of another Swift type.
    private func compareType<E: Entity>(
        _ type: E.Type, _ tables: StoreTables, _ differences: inout [String]
    ) throws {
        let name = E.Mapper.table.name
        guard let table = tables.table(named: name), !(table is StoreTable<E>),
            try !table.isEmpty()
        else { return }
        differences.append("the records of '\(name)' are values of another Swift type")
    }

    /// Inserts a seed entity, if its table is new.
    private func put<E: Entity>(
        _ entity: E, in tables: StoreTables, where isNew: Set<String>
    ) throws {
        guard isNew.contains(E.Mapper.table.name) else { return }
        let table = try tables.table(E.self).committed
        var record = entity
        var data: [ExternalData] = []
        E.Mapper.changeExternalData(of: &record) { value in
            data.append(value)
            return value.from(nil)
        }
        let change = TableChange(record: record, row: nil)
        try table.storage.stage([entity.id: change], isNew: [], table.forms)
        for value in data {
            guard let bytes = value.source as? BytesInMemory else { continue }
            let content = ExternalContent(id: entity.id, content: value.description)
            var index = 0
            while let chunk = bytes.chunk(index) {
                try table.storage.write(chunk, index, of: content)
                index += 1
            }
        }
    }

    /// Runs an atomic write.
    func write<R: Sendable>(
        _ body: @Sendable (StoreWrite) throws -> R
    ) async throws -> R {
        try await writing { tables in
            try tables.write(telling: changes, body, apply: {})
        }
    }

    /// Runs a body while no one else writes. It runs immediately, unless a transaction is open or
    /// other writers wait.
    ///
    /// The fast path checks the writer lock inside the mutex of `tables`. It does not take the
    /// writer lock: the body is synchronous and finishes before the mutex is released.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the body begins.
    private func writing<R: Sendable>(
        _ body: @Sendable (StoreTables) throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        let result: R? = try tables.withLock { tables in
            tables.running == nil && line.isFree ? try body(tables) : nil
        }
        if let result { return result }
        try await line.take()
        defer { line.leave() }
        return try tables.withLock { try body($0) }
    }

    /// Runs a body on the committed state of a table.
    func look<E: Entity, R: Sendable>(
        _ type: E.Type, _ body: @Sendable (CommittedTable<E>) throws -> R
    ) throws -> R {
        try tables.withLock { tables in
            try tables.requireOpen()
            return try body(tables.table(type).committed)
        }
    }

    /// Runs a body on the storage of a table.
    func look<E: Entity, R: Sendable>(
        at type: E.Type, _ body: @Sendable (MemoryStorage<E>, TableIndexForms) throws -> R
    ) throws -> R {
        try look(type) { table in
            // The tables of this store always have this storage type; see `MemorySource`.
            try body(
                unsafeDowncast(table.storage as AnyObject, to: MemoryStorage<E>.self), table.forms)
        }
    }

    /// Runs a body on the committed record with an id, inside the lock; returns nil if there is no
    /// record.
    ///
    /// Inlined and free of generic table code, because it is the path of every read by id.
    ///
    /// - Parameters:
    ///   - type: the entity type.
    ///   - id: the id of the record.
    ///   - body: runs while the mutex of `tables` is held, so it must be short.
    @inline(__always)
    func withRecord<E: Entity, R: Sendable>(
        _ type: E.Type, id: E.ID, _ body: (MemoryRecord) -> R
    ) throws -> R? {
        let key = try id.storedKey()
        return try tables.withLock { tables in
            try tables.requireOpen()
            let storage =
                try tables.foundTable(ObjectIdentifier(type))?.storage
                ?? tables.table(type).anyStorage
            // The downcast is safe for the same reason as in `look(at:_:)`.
            return unsafeDowncast(storage, to: MemoryTableRows.self).rows.records[key].map(body)
        }
    }

    /// Returns the cached result of a lookup by an index; nil if there is none.
    ///
    /// Free of generic code, because it is the path of every repeated lookup.
    ///
    /// - Parameters:
    ///   - type: the entity type.
    ///   - scan: the lookup.
    ///   - limit: the maximum number of records.
    func foundList(
        _ type: ObjectIdentifier, _ scan: IndexScan, limit: Int
    ) throws -> FoundList? {
        try tables.withLock { tables in
            try tables.requireOpen()
            guard let table = tables.foundTable(type) else { return nil }
            // The downcast is safe for the same reason as in `look(at:_:)`.
            let rows = unsafeDowncast(table.storage, to: MemoryTableRows.self)
            return rows.foundList(scan, limit: limit, table.forms)
        }
    }

    /// Removes the tables of a schema, except those that other schemas also contain.
    public func reset(_ schema: StoreSchema) async throws {
        try await writing { tables in
            tables.schemas[schema.name] = nil
            tables.remove(schema, except: tables.schemas.values)
            changes.send(.anything)
        }
    }
}

extension InMemoryStore: RecordKeeper {
    /// Runs a body on the records of a table in id order, inside the lock of the tables.
    func withRecords<E: Entity>(
        of type: E.Type, _ body: (OrderedTree<MemoryRecord>) throws -> Void
    ) throws {
        try tables.withLock { tables in
            try tables.requireOpen()
            let storage = try tables.table(type).committed.storage as AnyObject
            let rows = unsafeDowncast(storage, to: MemoryTableRows.self)
            rows.rows.makeOrder()
            try body(rows.rows.order ?? OrderedTree())
        }
    }
}
