import RepositoryRuntime

/// A store of SQLite that keeps the suite's entities in other forms than they are declared in.
struct ReformedStore: EntityStoreWrapper {
    let store: any EntityStore
    private let reform: @Sendable (EntityTable) -> EntityTable
    /// Makes the tables, where the store itself does not.
    private let maker: (@Sendable (StoreSchema) async throws -> Void)?

    init(
        _ store: any EntityStore,
        made maker: (@Sendable (StoreSchema) async throws -> Void)? = nil,
        _ reform: @escaping @Sendable (EntityTable) -> EntityTable
    ) {
        self.store = store
        self.reform = reform
        self.maker = maker
    }

    /// Without a reset and exchanges of unique values where the tables are somebody else's.
    var capabilities: StoreCapabilities {
        guard maker != nil else { return store.capabilities }
        let all = StoreCapability.all.map { ($0, store.capabilities[$0]) }
        return StoreCapabilities(
            Dictionary(uniqueKeysWithValues: all).merging(
                [.reset: .absent, .uniqueExchange: .absent]
            ) { $1 })
    }

    func open(_ schema: StoreSchema) async throws {
        try await maker?(schema)
        try await store.open(StoreSchema(schema.name, schema.tables.map(reform)))
    }

    func begin() async throws -> any StoreTransaction {
        ReformedTransaction(try await store.begin(), reform)
    }

    func snapshot() async throws -> any StoreTransaction {
        ReformedTransaction(try await store.snapshot(), reform)
    }
}

/// A transaction of a ``ReformedStore``.
private final class ReformedTransaction: EntityStoreWrapper, StoreTransaction {
    private let transaction: any StoreTransaction
    private let reform: @Sendable (EntityTable) -> EntityTable

    var store: any EntityStore { transaction }

    init(
        _ transaction: any StoreTransaction,
        _ reform: @escaping @Sendable (EntityTable) -> EntityTable
    ) {
        self.transaction = transaction
        self.reform = reform
    }

    func open(_ schema: StoreSchema) async throws {
        try await transaction.open(StoreSchema(schema.name, schema.tables.map(reform)))
    }

    func begin() async throws -> any StoreTransaction {
        ReformedTransaction(try await transaction.begin(), reform)
    }

    func snapshot() async throws -> any StoreTransaction {
        ReformedTransaction(try await transaction.snapshot(), reform)
    }

    func commit() async throws { try await transaction.commit() }
    func rollBack() async { await transaction.rollBack() }
}
