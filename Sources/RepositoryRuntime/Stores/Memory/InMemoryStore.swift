internal import Synchronization

/// Keeps entities in memory, for tests, previews and caches: the model that the other stores are compared with.
///
/// Records are kept as the values they are; a read costs a look-up. Everything is gone with the store.
public final class InMemoryStore: EntityStore {
    let tables = Mutex(StoreTables())
    let line = WriterLine()
    private let seed: [any Entity]
    /// Who observes the store.
    public let changes = StoreChanges()

    /// Makes an empty store.
    public convenience init() { self.init(seed: []) }

    /// Makes a store that holds entities as they are, unstamped and unchecked, as soon as it is opened with a schema that
    /// has them. Of several with one id the last stays.
    ///
    /// - Parameter seed: the entities.
    public init(seed: [any Entity]) {
        self.seed = seed
    }

    /// The kind of store.
    public var name: String { "memory" }

    /// Everything but lasting.
    public var capabilities: StoreCapabilities {
        StoreCapabilities([
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native, .references: .native,
            .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
            .queries: .native, .indexScans: .native, .idScans: .native, .updates: .native,
            .conflictPolicies: .native,
            .transactions: .native, .snapshots: .native, .observation: .native,
        ])
    }

    /// Makes the tables and puts the seed into those that are new.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try await writing { try open(schema, $0) }
    }

    func open(_ schema: StoreSchema, _ tables: StoreTables) throws {
        if tables.schemas[schema.name] == schema { return }
        try check(schema, tables)
        tables.schemas[schema.name] = schema
        let isNew = Set(schema.tables.map(\.name).filter { tables.table(named: $0) == nil })
        try tables.add(schema, from: MemorySource())
        for entity in seed { try put(entity, in: tables, where: isNew) }
    }

    /// Compares a set with those that are open.
    ///
    /// - Throws: `schemaMismatch`, also where records are there in another shape: they are Swift values and stay what
    ///   they are.
    private func check(_ schema: StoreSchema, _ tables: StoreTables) throws {
        let others = tables.schemas.values.sorted { $0.name < $1.name }
        let names = Set(schema.tables.map(\.name))
        guard others.contains(where: { $0.tables.contains { names.contains($0.name) } }) else {
            return
        }
        // Only here is the description needed: sets that share no table cost nothing.
        var description: StoreDescription?
        let openSets = Set(others.map(\.name))
        for other in others {
            description =
                SchemaOpening(other, in: description, form: .documents, openSets: openSets).result
        }
        let opening = SchemaOpening(
            schema, in: description, form: .documents, openSets: openSets)
        var differences = opening.differences
        for entity in schema.entities { try compareType(entity, tables, &differences) }
        if differences.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(store: name, differences: differences)
    }

    private func compareType<E: Entity>(
        _ type: E.Type, _ tables: StoreTables, _ differences: inout [String]
    ) throws {
        let name = E.Mapper.table.name
        guard let table = tables.table(named: name), !(table is StoreTable<E>),
            try !table.isEmpty()
        else { return }
        differences.append("the records of '\(name)' are values of another Swift type")
    }

    private func put<E: Entity>(
        _ entity: E, in tables: StoreTables, where isNew: Set<String>
    ) throws {
        guard isNew.contains(E.Mapper.table.name) else { return }
        let table = try tables.table(E.self).committed
        let change = TableChange(record: entity, row: nil)
        try table.storage.stage([entity.id: change], isNew: [], table.forms)
    }

    /// Runs a write, all or none.
    func write<R: Sendable>(
        _ body: @Sendable (StoreWrite) throws -> R
    ) async throws -> R {
        try await writing { tables in
            try tables.write(telling: changes, body, apply: {})
        }
    }

    /// Runs a body that nobody else writes meanwhile: at once, unless a transaction is open or somebody waits.
    private func writing<R: Sendable>(
        _ body: @Sendable (StoreTables) throws -> R
    ) async throws -> R {
        let result: R? = try tables.withLock { tables in
            tables.running == nil && line.isFree ? try body(tables) : nil
        }
        if let result { return result }
        try await line.take()
        defer { line.leave() }
        return try tables.withLock { try body($0) }
    }

    /// Runs a body on the committed records of a table.
    func look<E: Entity, R: Sendable>(
        _ type: E.Type, _ body: @Sendable (CommittedTable<E>) throws -> R
    ) throws -> R {
        try tables.withLock { tables in try body(tables.table(type).committed) }
    }

    /// Runs a body on the storage of a table.
    func look<E: Entity, R: Sendable>(
        at type: E.Type, _ body: @Sendable (MemoryStorage<E>, TableIndexForms) throws -> R
    ) throws -> R {
        try look(type) { table in
            // The tables of this store are made with no other storage: see `MemorySource`.
            try body(
                unsafeDowncast(table.storage as AnyObject, to: MemoryStorage<E>.self), table.forms)
        }
    }

    /// What a body makes of the committed record of an id, while nobody writes; nil where there is none.
    @inline(__always)
    func withRecord<E: Entity, R: Sendable>(
        _ type: E.Type, id: E.ID, _ body: (MemoryRecord) -> R
    ) throws -> R? {
        let key = try id.storedKey()
        return try tables.withLock { tables in
            // As in `look(at:_:)`.
            let storage = try tables.table(type).committed.storage as AnyObject
            return unsafeDowncast(storage, to: MemoryTableRows.self).rows.records[key].map(body)
        }
    }

    /// Forgets the tables of a set, except for those that another set has too.
    public func reset(_ schema: StoreSchema) async throws {
        try await writing { tables in
            tables.schemas[schema.name] = nil
            tables.remove(schema, except: tables.schemas.values)
            changes.send(.anything)
        }
    }
}

extension InMemoryStore: RecordKeeper {
    func withRecords<E: Entity>(
        of type: E.Type, _ body: (OrderedTree<MemoryRecord>) throws -> Void
    ) throws {
        try tables.withLock { tables in
            let storage = try tables.table(type).committed.storage as AnyObject
            let rows = unsafeDowncast(storage, to: MemoryTableRows.self)
            rows.rows.makeOrder()
            try body(rows.rows.order ?? OrderedTree())
        }
    }
}
