public import Foundation

/// A store that forwards to another store. A conforming type implements only the methods that it
/// changes; all others have default implementations that forward.
public protocol EntityStoreWrapper: EntityStore {
    /// The wrapped store.
    var store: any EntityStore { get }
}

extension EntityStore {
    /// The store inside all wrappers; the store itself if it is none.
    package var unwrapped: any EntityStore {
        var store: any EntityStore = self
        while let wrapper = store as? any EntityStoreWrapper { store = wrapper.store }
        return store
    }
}

extension EntityStoreWrapper {
    /// The kind of store.
    public var name: String { store.name }
    /// The capabilities of the wrapped store.
    public var capabilities: StoreCapabilities { store.capabilities }

    /// Prepares the store for a schema.
    public func open(_ schema: StoreSchema) async throws { try await store.open(schema) }

    /// Returns what opening the wrapped store would change.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        try await store.migrationPlan(schema)
    }

    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws { try await store.create(entity) }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await store.read(type, id: id)
    }

    /// Replaces an entity and returns the stored entity.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await store.update(entity)
    }

    /// Creates or replaces an entity and returns the stored entity.
    public func save<E: Entity>(_ entity: E) async throws -> E { try await store.save(entity) }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await store.delete(type, id: id)
    }

    /// Returns whether there is an entity with an id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await store.exists(type, id: id)
    }

    /// Stores new entities: all of them or none.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await store.createAll(entities)
    }

    /// Creates or replaces entities: all of them or none.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await store.saveAll(entities)
    }

    /// Deletes the entities with the given ids that exist: all of them or none.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await store.deleteAll(type, ids: ids)
    }

    /// Deletes all entities of a type.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await store.deleteAll(type)
    }

    /// Returns the number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await store.count(type)
    }

    /// Returns all ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await store.ids(type)
    }

    /// Returns the entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await store.page(type, after: id, limit: limit)
    }

    /// Returns the entities of a scan of a declared index.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await store.find(type, scan, limit: limit)
    }

    /// Returns the plan by which the records of a query are found.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan { store.plan(query) }

    /// Returns the entities of a selection.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await store.select(type, selection)
    }

    /// Returns the values at the given paths for each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await store.values(type, selection, at: paths)
    }

    /// Returns the aggregates of a selection.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await store.summary(type, selection, summary)
    }

    /// Returns a description of how the wrapped store answers a selection.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await store.explain(type, selection)
    }

    /// Returns the greatest id that the wrapped store remembers.
    public func lastRememberedID<E: Entity>(
        _ type: E.Type, reserving count: Int
    ) async throws -> Int64? {
        try await store.lastRememberedID(type, reserving: count)
    }

    /// Returns the records that the search index of the wrapped store finds.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        try await store.search(type, query)
    }

    /// Changes all entities that match a query in one atomic step.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await store.updateAll(query, change)
    }

    /// Stores a chunk of the external data of a record.
    public func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        try await store.writeExternalChunk(type, id: id, content: content, index: index, chunk)
    }

    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await store.externalChunk(type, id: id, content: content, index: index)
    }

    /// Begins a transaction of the wrapped store.
    public func begin() async throws -> any StoreTransaction { try await store.begin() }

    /// Begins a read-only transaction.
    public func snapshot() async throws -> any StoreTransaction { try await store.snapshot() }

    /// The observers of the wrapped store.
    public var changes: StoreChanges { store.changes }

    /// Returns a value that changes with each commit by another process.
    public func externalState() async throws -> UInt64? { try await store.externalState() }

    /// Returns a value that is different after each commit.
    public func changeState() async throws -> UInt64? { try await store.changeState() }

    /// Rebuilds everything that is derived from the records.
    public func rebuildIndexes() async throws { try await store.rebuildIndexes() }

    /// Removes a schema.
    public func reset(_ schema: StoreSchema) async throws { try await store.reset(schema) }
}
