/// What a store need not say itself.
extension EntityStore {
    /// Plans with the calls that every store has: ids are read, declared indexes looked up, everything else scanned.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlanner(query, capabilities).plan()
    }

    /// Refuses: a store that plans no selection is asked for none.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        throw CRUDRepositoryError.unsupported("selections", by: name)
    }

    /// Refuses: a store that plans no selection is asked for none.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        throw CRUDRepositoryError.unsupported("selections", by: name)
    }

    /// Leaves it to the runtime.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? { nil }

    /// Has nothing to say.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] { [] }

    /// Finds and replaces the entities in a transaction.
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

    /// Refuses.
    public func begin() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("transactions", by: name)
    }

    /// A transaction, which is to be rolled back: while it is open it may keep writers waiting.
    public func snapshot() async throws -> any StoreTransaction { try await begin() }

    /// Nobody else writes.
    public func externalState() async throws -> UInt64? { nil }

    /// There is nothing to be made anew.
    public func rebuildIndexes() async throws {}
}
