internal import Synchronization

/// The interface of a store to its transactions: access to the tables, one call at a time.
///
/// Implemented by the stores that use the table engine.
protocol TransactionHost: Sendable {
    /// The store, for properties and calls that do not concern records.
    var store: any EntityStore { get }
    /// Runs a body on the tables, after all earlier calls.
    ///
    /// - Throws: `transactionEnded` if no transaction is open.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (StoreTables) throws -> R
    ) async throws -> R
    /// Commits a transaction. The changes of a nested transaction pass to the outer transaction.
    func commit(_ number: Int) async throws
    /// Rolls back a transaction. Does nothing if it is over.
    func rollBack(_ number: Int) async
    /// Rolls back a transaction that was released without being ended. Returns immediately; the
    /// rollback happens later.
    func drop(_ number: Int)
    /// Opens another schema during the transaction.
    func open(_ schema: StoreSchema) async throws
}

/// A transaction of a store that uses the table engine, or one nested in such a transaction.
///
/// The object is a handle: the state of the transaction is in ``StoreTables``. Releasing the last
/// reference to an open transaction rolls it back.
final class EngineTransaction: StoreTransaction {
    /// The store's side of the transaction.
    private let host: any TransactionHost
    /// The number under which ``StoreTables`` knows the transaction.
    let number: Int
    /// The outer transaction. The reference prevents its rollback while the nested transaction is
    /// open.
    private let parent: EngineTransaction?
    /// Whether the transaction was committed or rolled back. Set before the store ends it, so that
    /// only one caller can.
    private let isOver = Atomic(false)

    /// Creates a handle for a transaction that has already begun.
    init(_ number: Int, of host: any TransactionHost, in parent: EngineTransaction? = nil) {
        self.host = host
        self.number = number
        self.parent = parent
    }

    deinit {
        if !isOver.load(ordering: .acquiring) { host.drop(number) }
    }

    /// The properties of the store, which a transaction shares.
    var name: String { host.store.name }
    var capabilities: StoreCapabilities { host.store.capabilities }
    var changes: StoreChanges { host.store.changes }

    /// Opens another schema, so that the transaction can use its tables. Opening is not undone by a
    /// rollback.
    func open(_ schema: StoreSchema) async throws {
        try check()
        try await host.open(schema)
    }

    /// Begins a nested transaction. The tables reject a second one while the first is open.
    func begin() async throws -> any StoreTransaction {
        try check()
        let nested = try await host.run { [number] in try $0.begin(in: number) }
        return EngineTransaction(nested, of: host, in: self)
    }

    /// Commits the transaction. Of several concurrent calls, only the first commits; the others
    /// throw `transactionEnded`.
    func commit() async throws {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else {
            throw CRUDRepositoryError.transactionEnded
        }
        try await host.commit(number)
    }

    /// Rolls the transaction back. Does nothing if it is over.
    func rollBack() async {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await host.rollBack(number)
    }

    func externalState() async throws -> UInt64? { try await host.store.externalState() }

    /// Always throws: a reset changes the schema of the store, which is not part of a transaction.
    func reset(_ schema: StoreSchema) async throws {
        try check()
        throw CRUDRepositoryError.unsupported("a reset inside a transaction", by: name)
    }

    /// Throws `transactionEnded` if the transaction is over.
    private func check() throws {
        if isOver.load(ordering: .acquiring) { throw CRUDRepositoryError.transactionEnded }
    }

    /// Runs one step of the transaction. If the body throws, its changes are undone.
    func step<R: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws -> R
    ) async throws -> R {
        try check()
        return try await host.run { [number] in try $0.step(of: number, body) }
    }

    /// Reads from a table as the transaction sees it, its own changes included.
    func look<E: Entity, R: Sendable>(
        _ type: E.Type, _ body: @escaping @Sendable (StoreTable<E>) throws -> R
    ) async throws -> R {
        try check()
        return try await host.run { [number] tables in
            _ = try tables.write(of: number)
            return try body(tables.table(type))
        }
    }
}
