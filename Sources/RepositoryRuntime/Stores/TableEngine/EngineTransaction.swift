internal import Synchronization

/// What a store of the engine gives its transactions: a way to the tables, one call at a time.
protocol TransactionHost: Sendable {
    /// The store, for what does not concern its records.
    var store: any EntityStore { get }
    /// Runs a body on the tables, after those before it.
    ///
    /// - Throws: `transactionEnded` where no transaction is open any more.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (StoreTables) throws -> R
    ) async throws -> R
    /// Commits a transaction, or hands its changes to the one it is nested in.
    func commit(_ number: Int) async throws
    /// Rolls a transaction back, unless it is over.
    func rollBack(_ number: Int) async
    /// Does the same some time later, for one that nobody has any more.
    func drop(_ number: Int)
    /// Opens another schema meanwhile.
    func open(_ schema: StoreSchema) async throws
}

/// A transaction of a store of the engine, or one nested in another.
final class EngineTransaction: StoreTransaction {
    private let host: any TransactionHost
    let number: Int
    /// What it is nested in, which is not dropped while it is open.
    private let parent: EngineTransaction?
    private let isOver = Atomic(false)

    init(_ number: Int, of host: any TransactionHost, in parent: EngineTransaction? = nil) {
        self.host = host
        self.number = number
        self.parent = parent
    }

    deinit {
        if !isOver.load(ordering: .acquiring) { host.drop(number) }
    }

    var name: String { host.store.name }
    var capabilities: StoreCapabilities { host.store.capabilities }
    var changes: StoreChanges { host.store.changes }

    func open(_ schema: StoreSchema) async throws {
        try check()
        try await host.open(schema)
    }

    func begin() async throws -> any StoreTransaction {
        try check()
        let nested = try await host.run { [number] in try $0.begin(in: number) }
        return EngineTransaction(nested, of: host, in: self)
    }

    func commit() async throws {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else {
            throw CRUDRepositoryError.transactionEnded
        }
        try await host.commit(number)
    }

    func rollBack() async {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await host.rollBack(number)
    }

    func externalState() async throws -> UInt64? { try await host.store.externalState() }

    func reset(_ schema: StoreSchema) async throws {
        try check()
        throw CRUDRepositoryError.unsupported("a reset inside a transaction", by: name)
    }

    private func check() throws {
        if isOver.load(ordering: .acquiring) { throw CRUDRepositoryError.transactionEnded }
    }

    /// Runs a step of the transaction, all or none.
    func step<R: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws -> R
    ) async throws -> R {
        try check()
        return try await host.run { [number] in try $0.step(of: number, body) }
    }

    /// Looks at a table as the transaction sees it.
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
