public import Foundation

/// A store that repeats operations of another store that failed before anything was done.
///
/// ```swift
/// let library = Library(SQLiteStore(path: path).retrying())
/// ```
/// An operation is repeated if its error ``CRUDRepositoryError/isRetryable``: a lock that another
/// program held too long, or a lack of file descriptors. Such an error says that nothing was
/// changed. Other errors are thrown at once, among them `versionConflict`: the caller has to read
/// the record again.
///
/// The operations inside a transaction are not repeated, nor is its commit. A transaction that
/// conflicts with another one is run again as a whole by `transaction`. Cancelling the task ends
/// the wait with `CancellationError`.
public struct RetryingStore: EntityStoreWrapper {
    /// The wrapped store.
    public let store: any EntityStore
    /// When and how often operations are repeated.
    public let policy: RetryPolicy
    /// Waits.
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Returns a number of at least 0 and less than 1.
    private let random: @Sendable () -> Double

    /// Creates a store that repeats operations.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - policy: when and how often operations are repeated.
    ///   - sleep: waits for a duration; replaced in tests.
    ///   - random: returns a number of at least 0 and less than 1, which shortens a delay; replaced
    ///     in tests.
    public init(
        _ store: any EntityStore, policy: RetryPolicy = RetryPolicy(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        self.policy = policy
        self.sleep = sleep
        self.random = random
    }

    private func repeating<R>(_ body: () async throws -> R) async throws -> R {
        var delays: [Duration]?
        while true {
            do {
                return try await body()
            } catch let error as CRUDRepositoryError
                where error.isRetryable && error.code != .transactionConflict
                && error.code != .versionConflict
            {
                // Nothing is allocated for operations that succeed.
                var left = delays ?? policy.delays(random).reversed()
                guard let delay = left.popLast() else { throw error }
                delays = left
                try await sleep(delay)
            }
        }
    }

    /// Opens a schema.
    public func open(_ schema: StoreSchema) async throws {
        try await repeating { try await store.open(schema) }
    }

    /// Returns what opening the wrapped store would change.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        try await repeating { try await store.migrationPlan(schema) }
    }

    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws {
        try await repeating { try await store.create(entity) }
    }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await repeating { try await store.read(type, id: id) }
    }

    /// Replaces an entity and returns the stored entity.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await repeating { try await store.update(entity) }
    }

    /// Creates or replaces an entity and returns the stored entity.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await repeating { try await store.save(entity) }
    }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await repeating { try await store.delete(type, id: id) }
    }

    /// Returns whether there is an entity with an id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await repeating { try await store.exists(type, id: id) }
    }

    /// Stores new entities: all of them or none.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await repeating { try await store.createAll(entities) }
    }

    /// Creates or replaces entities: all of them or none.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await repeating { try await store.saveAll(entities) }
    }

    /// Deletes the entities with the given ids that exist: all of them or none.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await repeating { try await store.deleteAll(type, ids: ids) }
    }

    /// Deletes all entities of a type.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await repeating { try await store.deleteAll(type) }
    }

    /// Returns the number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await repeating { try await store.count(type) }
    }

    /// Returns all ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await repeating { try await store.ids(type) }
    }

    /// Returns the entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await repeating { try await store.page(type, after: id, limit: limit) }
    }

    /// Returns the entities of a scan of a declared index.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await repeating { try await store.find(type, scan, limit: limit) }
    }

    /// Returns the entities of a selection.
    public func select<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [E] {
        try await repeating { try await store.select(type, selection) }
    }

    /// Returns the values at the given paths for each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await repeating { try await store.values(type, selection, at: paths) }
    }

    /// Returns the aggregates of a selection.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await repeating { try await store.summary(type, selection, summary) }
    }

    /// Returns a description of how the wrapped store answers a selection.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await repeating { try await store.explain(type, selection) }
    }

    /// Returns the greatest id that the wrapped store remembers.
    public func lastRememberedID<E: Entity>(_ type: E.Type) async throws -> Int64? {
        try await repeating { try await store.lastRememberedID(type) }
    }

    /// Returns the records that the search index of the wrapped store finds.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        try await repeating { try await store.search(type, query) }
    }

    /// Changes all entities that match a query in one atomic step. `change` may be called again for
    /// an entity.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await repeating { try await store.updateAll(query, change) }
    }

    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await repeating {
            try await store.externalChunk(type, id: id, content: content, index: index)
        }
    }

    /// Begins a transaction of the wrapped store, whose operations are not repeated.
    public func begin() async throws -> any StoreTransaction {
        try await repeating { try await store.begin() }
    }

    /// Begins a read-only transaction, whose operations are not repeated.
    public func snapshot() async throws -> any StoreTransaction {
        try await repeating { try await store.snapshot() }
    }

    /// Returns a value that changes with each commit by another process.
    public func externalState() async throws -> UInt64? {
        try await repeating { try await store.externalState() }
    }

    /// Rebuilds everything that is derived from the records.
    public func rebuildIndexes() async throws {
        try await repeating { try await store.rebuildIndexes() }
    }

    /// Removes a schema.
    public func reset(_ schema: StoreSchema) async throws {
        try await repeating { try await store.reset(schema) }
    }

    /// Backs up the wrapped store.
    public func backup(to url: URL) async throws {
        try await repeating { try await store.backup(to: url) }
    }

    /// Restores a backup into the wrapped store.
    public func restore(from url: URL) async throws {
        try await repeating { try await store.restore(from: url) }
    }

    /// Compacts the wrapped store.
    public func compact() async throws { try await repeating { try await store.compact() } }

    /// Checks the wrapped store.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        try await repeating { try await store.check(schema, repair: repair) }
    }
}

extension EntityStore {
    /// Returns a store that repeats operations of this store that failed before anything was done.
    ///
    /// - Parameter policy: when and how often operations are repeated.
    public func retrying(_ policy: RetryPolicy = RetryPolicy()) -> RetryingStore {
        RetryingStore(self, policy: policy)
    }
}
