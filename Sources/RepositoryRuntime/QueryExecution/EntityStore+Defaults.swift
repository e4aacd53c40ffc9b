/// Default implementations of store operations.
extension EntityStore {
    /// Plans with the operations that every store supports: reading by id, looking up declared
    /// indexes, and scanning.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlanner(query, capabilities).plan()
    }

    /// Throws `unsupported`: the store plans no selections, so the runtime never requests one.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        throw CRUDRepositoryError.unsupported("selections", by: name)
    }

    /// Throws `unsupported`: the store plans no selections, so the runtime never requests one.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        throw CRUDRepositoryError.unsupported("selections", by: name)
    }

    /// Returns nil: the runtime computes the summary.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? { nil }

    /// Returns no lines.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] { [] }

    /// Returns nil: the store does not remember the ids of deleted records.
    public func lastRememberedID<E: Entity>(
        _ type: E.Type, reserving count: Int
    ) async throws -> Int64? { nil }

    /// Fetches the entities, changes them and saves them, in one transaction. Returns their number.
    ///
    /// The transaction is rolled back if `change` or the store throws, or if the task is cancelled
    /// before the commit.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        let transaction = try await begin()
        do {
            var run = try QueryRun(query, transaction)
            let found = try await run.collect(\.entity)
            _ = try await transaction.saveAll(found.map(change))
            try Task.checkCancellation()
            try await transaction.commit()
            return found.count
        } catch {
            await transaction.rollBack()
            throw error
        }
    }

    /// Throws `unsupported`: the store has no transactions.
    public func begin() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("transactions", by: name)
    }

    /// Begins an ordinary transaction, which the caller rolls back. It may block writers while it
    /// is open.
    public func snapshot() async throws -> any StoreTransaction { try await begin() }

    /// Returns nil: no other process writes to the store.
    public func externalState() async throws -> UInt64? { nil }

    /// Does nothing: the store has no indexes to rebuild.
    public func rebuildIndexes() async throws {}
}
