internal import Synchronization

extension InMemoryStore {
    /// Begins a transaction when no other one is open. Other writers wait until it ends; readers do
    /// not.
    public func begin() async throws -> any StoreTransaction {
        try await line.take()
        if life.isClosed {
            line.leave()
            throw CRUDRepositoryError.storeClosed
        }
        return EngineTransaction(tables.withLock { $0.begin() }, of: MemoryHost(memory: self))
    }

    /// Begins a read-only transaction on the state committed now. It copies no records and blocks
    /// no writers.
    public func snapshot() async throws -> any StoreTransaction {
        try life.enter()
        do {
            let frozen = try tables.withLock { tables in
                var frozen: [String: FrozenRows] = [:]
                for table in tables.all { frozen[table.description.name] = try table.frozenRows() }
                return frozen
            }
            return MemorySnapshot(self, frozen)
        } catch {
            life.leave()
            throw error
        }
    }
}

/// Runs the calls of transactions directly on the caller's thread, inside the lock of the tables.
/// No call waits.
private struct MemoryHost: TransactionHost {
    /// The store. The transaction retains it.
    let memory: InMemoryStore

    var store: any EntityStore { memory }

    func run<R: Sendable>(
        _ body: @escaping @Sendable (StoreTables) throws -> R
    ) async throws -> R {
        try memory.tables.withLock { try body($0) }
    }

    /// Commits a transaction. The end of the outermost transaction releases the writer lock.
    func commit(_ number: Int) async throws {
        let (result, isLast) = memory.tables.withLock { tables in
            let wasOpen = tables.running != nil
            let result = Result {
                try tables.commit(number, telling: memory.changes, apply: {})
            }
            return (result, wasOpen && tables.running == nil)
        }
        if isLast { memory.line.leave() }
        try result.get()
    }

    func rollBack(_ number: Int) async { drop(number) }

    /// Rolls a transaction back at once: in memory this never waits.
    func drop(_ number: Int) {
        let isLast = memory.tables.withLock { tables in
            let wasOpen = tables.running != nil
            tables.rollBack(number)
            return wasOpen && tables.running == nil
        }
        if isLast { memory.line.leave() }
    }

    func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: memory.name)
        try memory.tables.withLock { try memory.open(schema, $0) }
    }
}
