/// A store that is another one under a name of its own: what it does not say itself the other does.
public protocol EntityStoreWrapper: EntityStore {
    /// The store that does the work.
    var store: any EntityStore { get }
}

extension EntityStoreWrapper {
    /// The kind of store.
    public var name: String { store.name }
    /// What it can do.
    public var capabilities: StoreCapabilities { store.capabilities }

    /// Makes the store ready for a schema.
    public func open(_ schema: StoreSchema) async throws { try await store.open(schema) }

    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws { try await store.create(entity) }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await store.read(type, id: id)
    }

    /// Replaces an entity and returns what is stored.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await store.update(entity)
    }

    /// Creates or replaces an entity and returns what is stored.
    public func save<E: Entity>(_ entity: E) async throws -> E { try await store.save(entity) }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await store.delete(type, id: id)
    }

    /// Whether there is an entity of this id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await store.exists(type, id: id)
    }

    /// Stores new entities, all or none.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await store.createAll(entities)
    }

    /// Creates or replaces entities, all or none.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await store.saveAll(entities)
    }

    /// Deletes those of the ids that are there, all or none.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await store.deleteAll(type, ids: ids)
    }

    /// Deletes all entities of a type.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await store.deleteAll(type)
    }

    /// The number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await store.count(type)
    }

    /// All ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await store.ids(type)
    }

    /// The entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await store.page(type, after: id, limit: limit)
    }

    /// The entities that a scan of a declared index finds.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await store.find(type, scan, limit: limit)
    }

    /// How the records of a query are found.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan { store.plan(query) }

    /// The entities of a selection.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await store.select(type, selection)
    }

    /// The values at some paths of each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await store.values(type, selection, at: paths)
    }

    /// The summary of a selection.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await store.summary(type, selection, summary)
    }

    /// How the store that does the work answers a selection.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await store.explain(type, selection)
    }

    /// Changes every entity that a query asks for, in one atomic step.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await store.updateAll(query, change)
    }

    /// Begins a transaction of the store that does the work.
    public func begin() async throws -> any StoreTransaction { try await store.begin() }

    /// Begins a transaction that only reads.
    public func snapshot() async throws -> any StoreTransaction { try await store.snapshot() }

    /// Who observes the store.
    public var changes: StoreChanges { store.changes }

    /// A value that differs after a commit by another process.
    public func externalState() async throws -> UInt64? { try await store.externalState() }

    /// Makes everything that is derived from the records anew.
    public func rebuildIndexes() async throws { try await store.rebuildIndexes() }

    /// Removes a set.
    public func reset(_ schema: StoreSchema) async throws { try await store.reset(schema) }
}
