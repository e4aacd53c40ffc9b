public import Foundation

/// A store that reads another store and refuses every change of it.
///
/// ```swift
/// let library = Library(SQLiteStore(path: path).readOnly())
/// let books = try await library.books.fetch()
/// ```
/// Every call that would change the store throws `unsupported`, and does not reach the wrapped
/// store. ``EntityStore/close()`` closes the wrapped store.
///
/// Inside the body of a transaction of the wrapped store, the read-only store does not take part in
/// the transaction: it reads what was committed. Open it before, because opening may wait for the
/// end of the transaction.
public struct ReadOnlyStore: EntityStoreWrapper {
    /// The wrapped store.
    public let store: any EntityStore

    /// Creates a store that reads another store.
    public init(_ store: any EntityStore) {
        self.store = store
    }

    /// The capabilities of the wrapped store without those that only change records.
    ///
    /// `records` and `backups` stay, because they also cover reading and making a backup.
    public var capabilities: StoreCapabilities {
        store.capabilities.without([
            .batches, .atomicBatches, .updates, .conflictPolicies, .transactions, .reset,
            .compaction, .sql,
        ])
    }

    private func refusal(_ operation: String) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .unsupported,
            "The store (\(name)) was opened for reading only; '\(operation)' would change it.")
    }

    /// Opens the schema if the wrapped store then stays as it is.
    ///
    /// - Throws: `schemaMismatch` if the store has no data of the schema, or if opening would
    ///   migrate it; the error names the changes. `unsupported` if the wrapped store cannot tell
    ///   what opening it would change.
    public func open(_ schema: StoreSchema) async throws {
        let plan = try await store.migrationPlan(schema)
        guard plan.problems.isEmpty, !plan.isNeeded else {
            var differences = plan.problems + plan.steps.map(\.text)
            if differences.isEmpty {
                differences = [
                    "opening the set '\(schema.name)' for the first time would write to it"
                ]
            }
            throw CRUDRepositoryError.schemaMismatch(store: name, differences: differences)
        }
        try await store.open(schema)
    }

    /// Throws `unsupported`.
    public func create<E: Entity>(_ entity: E) async throws { throw refusal("create") }

    /// Throws `unsupported`.
    public func update<E: Entity>(_ entity: E) async throws -> E { throw refusal("update") }

    /// Throws `unsupported`.
    public func save<E: Entity>(_ entity: E) async throws -> E { throw refusal("save") }

    /// Throws `unsupported`.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws { throw refusal("delete") }

    /// Throws `unsupported`.
    public func createAll<E: Entity>(_ entities: [E]) async throws { throw refusal("createAll") }

    /// Throws `unsupported`.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] { throw refusal("saveAll") }

    /// Throws `unsupported`.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        throw refusal("deleteAll")
    }

    /// Throws `unsupported`.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        throw refusal("deleteAll")
    }

    /// Throws `unsupported`.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int { throw refusal("updateAll") }

    /// Throws `unsupported`.
    public func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws { throw refusal("writeExternalChunk") }

    /// Throws `unsupported`: a transaction may change the store. Use a snapshot for several reads
    /// of one state.
    public func begin() async throws -> any StoreTransaction { throw refusal("transaction") }

    /// Throws `unsupported`.
    public func rebuildIndexes() async throws { throw refusal("rebuildIndexes") }

    /// Throws `unsupported`.
    public func reset(_ schema: StoreSchema) async throws { throw refusal("reset") }

    /// Throws `unsupported`.
    public func restore(from url: URL) async throws { throw refusal("restore") }

    /// Throws `unsupported`.
    public func compact() async throws { throw refusal("compact") }

    /// Checks the wrapped store; with `repair`, throws `unsupported`.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        if repair { throw refusal("check(repair: true)") }
        return try await store.check(schema, repair: false)
    }
}

extension EntityStore {
    /// Returns a store that reads this store and refuses every change of it.
    public func readOnly() -> ReadOnlyStore { ReadOnlyStore(self) }
}

extension ReadOnlyStore: TolerantStore {
    /// Returns the records that the wrapped store returns.
    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        guard let tolerant = store as? any TolerantStore else { return nil }
        return try await tolerant.fetchTolerantly(type, failures: maximum)
    }
}
