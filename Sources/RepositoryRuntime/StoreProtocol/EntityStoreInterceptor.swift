public import Foundation

/// A store wrapper that runs code around each operation of another store.
///
/// A conforming type implements ``intercept(_:volume:_:)``; all operations have default
/// implementations that call it.
///
/// ```swift
/// struct CountingStore: EntityStoreInterceptor {
///     let store: any EntityStore
///     let count = Counter()
///
///     nonisolated(nonsending) func intercept<R>(
///         _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
///         _ body: nonisolated(nonsending) () async throws -> R
///     ) async throws -> R {
///         count.increment()
///         return try await body()
///     }
/// }
/// ```
/// The transactions and snapshots of the wrapped store are returned as they are. A conforming type
/// that is about their operations as well implements ``EntityStore/begin()`` and
/// ``EntityStore/snapshot()``.
public protocol EntityStoreInterceptor: EntityStoreWrapper {
    /// Runs an operation of the wrapped store.
    ///
    /// - Parameters:
    ///   - operation: returns the operation. Call it only if it is needed: it is cheap for most
    ///     operations, but plans a query for ``EntityStore/select(_:_:)``.
    ///   - volume: returns what an operation read or wrote, from its result.
    ///   - body: runs the operation. It may be called again if it throws.
    /// - Returns: the result of the operation.
    func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: () async throws -> R
    ) async throws -> R
}

extension EntityStoreInterceptor {
    /// Opens a schema.
    public func open(_ schema: StoreSchema) async throws {
        try await intercept(
            StoreOperation(.open),
            volume: { _ in StoreVolume() }
        ) { try await store.open(schema) }
    }

    /// Returns what opening the wrapped store would change.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        try await intercept(
            StoreOperation(.migrationPlan),
            volume: { _ in StoreVolume() }
        ) { try await store.migrationPlan(schema) }
    }

    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws {
        try await intercept(
            StoreOperation(.create, E.self),
            volume: { _ in StoreVolume(rows: 1) }
        ) { try await store.create(entity) }
    }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await intercept(
            StoreOperation(.read, type, .ids),
            volume: { _ in StoreVolume(rows: 1) }
        ) { try await store.read(type, id: id) }
    }

    /// Replaces an entity and returns the stored entity.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await intercept(
            StoreOperation(.update, E.self),
            volume: { _ in StoreVolume(rows: 1) }
        ) { try await store.update(entity) }
    }

    /// Creates or replaces an entity and returns the stored entity.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await intercept(
            StoreOperation(.save, E.self),
            volume: { _ in StoreVolume(rows: 1) }
        ) { try await store.save(entity) }
    }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await intercept(
            StoreOperation(.delete, type),
            volume: { _ in StoreVolume(rows: 1) }
        ) { try await store.delete(type, id: id) }
    }

    /// Returns whether there is an entity with an id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await intercept(
            StoreOperation(.exists, type, .ids),
            volume: { StoreVolume(rows: $0 ? 1 : 0) }
        ) { try await store.exists(type, id: id) }
    }

    /// Stores new entities: all of them or none.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await intercept(
            StoreOperation(.createAll, E.self),
            volume: { _ in StoreVolume(rows: entities.count) }
        ) { try await store.createAll(entities) }
    }

    /// Creates or replaces entities: all of them or none.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await intercept(
            StoreOperation(.saveAll, E.self),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.saveAll(entities) }
    }

    /// Deletes the entities with the given ids that exist: all of them or none.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await intercept(
            StoreOperation(.deleteAll, type),
            volume: { StoreVolume(rows: $0) }
        ) { try await store.deleteAll(type, ids: ids) }
    }

    /// Deletes all entities of a type.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await intercept(
            StoreOperation(.deleteAll, type),
            volume: { StoreVolume(rows: $0) }
        ) { try await store.deleteAll(type) }
    }

    /// Returns the number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await intercept(
            StoreOperation(.count, type, .table),
            volume: { StoreVolume(rows: $0) }
        ) { try await store.count(type) }
    }

    /// Returns all ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await intercept(
            StoreOperation(.ids, type, .table),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.ids(type) }
    }

    /// Returns the entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await intercept(
            StoreOperation(.page, type, .table),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.page(type, after: id, limit: limit) }
    }

    /// Returns the entities of a scan of a declared index.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await intercept(
            StoreOperation(.find, type, .init(type, scan)),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.find(type, scan, limit: limit) }
    }

    /// Returns the entities of a selection.
    public func select<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [E] {
        try await intercept(
            StoreOperation(.select, type, .init(type, selection, in: store)),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.select(type, selection) }
    }

    /// Returns the values at the given paths for each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await intercept(
            StoreOperation(.values, type, .init(type, selection, in: store)),
            volume: { StoreVolume(rows: $0.count) }
        ) { try await store.values(type, selection, at: paths) }
    }

    /// Returns the aggregates of a selection.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await intercept(
            StoreOperation(.summary, type, .init(type, selection, in: store)),
            volume: { StoreVolume(rows: $0?.count ?? 0) }
        ) { try await store.summary(type, selection, summary) }
    }

    /// Returns a description of how the wrapped store answers a selection.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await intercept(
            StoreOperation(.explain, type),
            volume: { _ in StoreVolume() }
        ) { try await store.explain(type, selection) }
    }

    /// Returns the greatest id that the wrapped store remembers.
    public func lastRememberedID<E: Entity>(
        _ type: E.Type, reserving count: Int
    ) async throws -> Int64? {
        try await intercept(
            StoreOperation(.lastRememberedID, type),
            volume: { _ in StoreVolume() }
        ) { try await store.lastRememberedID(type, reserving: count) }
    }

    /// Returns the records that the search index of the wrapped store finds.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        try await intercept(
            StoreOperation(.search, type),
            volume: { _ in StoreVolume() }
        ) { try await store.search(type, query) }
    }

    /// Changes all entities that match a query in one atomic step. `change` may be called again for
    /// an entity.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await intercept(
            StoreOperation(.updateAll, E.self),
            volume: { StoreVolume(rows: $0) }
        ) { try await store.updateAll(query, change) }
    }

    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await intercept(
            StoreOperation(.externalChunk, type),
            volume: { StoreVolume(rows: $0 == nil ? 0 : 1, bytes: $0?.count ?? 0) }
        ) { try await store.externalChunk(type, id: id, content: content, index: index) }
    }

    /// Begins a transaction of the wrapped store.
    public func begin() async throws -> any StoreTransaction {
        try await intercept(
            StoreOperation(.begin),
            volume: { _ in StoreVolume() }
        ) { try await store.begin() }
    }

    /// Begins a read-only transaction.
    public func snapshot() async throws -> any StoreTransaction {
        try await intercept(
            StoreOperation(.snapshot),
            volume: { _ in StoreVolume() }
        ) { try await store.snapshot() }
    }

    /// Returns a value that changes with each commit by another process.
    public func externalState() async throws -> UInt64? {
        try await intercept(
            StoreOperation(.externalState),
            volume: { _ in StoreVolume() }
        ) { try await store.externalState() }
    }

    /// Rebuilds everything that is derived from the records.
    public func rebuildIndexes() async throws {
        try await intercept(
            StoreOperation(.rebuildIndexes),
            volume: { _ in StoreVolume() }
        ) { try await store.rebuildIndexes() }
    }

    /// Removes a schema.
    public func reset(_ schema: StoreSchema) async throws {
        try await intercept(
            StoreOperation(.reset),
            volume: { _ in StoreVolume() }
        ) { try await store.reset(schema) }
    }

    /// Backs up the wrapped store.
    public func backup(to url: URL) async throws {
        try await intercept(
            StoreOperation(.backup),
            volume: { _ in StoreVolume() }
        ) { try await store.backup(to: url) }
    }

    /// Restores a backup into the wrapped store.
    public func restore(from url: URL) async throws {
        try await intercept(
            StoreOperation(.restore),
            volume: { _ in StoreVolume() }
        ) { try await store.restore(from: url) }
    }

    /// Compacts the wrapped store.
    public func compact() async throws {
        try await intercept(
            StoreOperation(.compact),
            volume: { _ in StoreVolume() }
        ) { try await store.compact() }
    }

    /// Checks the wrapped store.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        try await intercept(
            StoreOperation(.check),
            volume: { _ in StoreVolume() }
        ) { try await store.check(schema, repair: repair) }
    }

    /// Stores a chunk of the external data of a record.
    public func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        try await intercept(
            StoreOperation(.writeExternalChunk, type),
            volume: { _ in StoreVolume(rows: 1, bytes: chunk.count) }
        ) {
            try await store.writeExternalChunk(type, id: id, content: content, index: index, chunk)
        }
    }

    /// Closes the wrapped store.
    public func close() async throws {
        try await intercept(StoreOperation(.close), volume: { _ in StoreVolume() }) {
            try await store.close()
        }
    }
}
