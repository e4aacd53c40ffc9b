internal import RepositoryRuntime
internal import Synchronization

/// A copy of the reference store's tables that takes their place, or not.
final class ReferenceTransaction: StoreTransaction, ReferenceRecords {
    let name: String
    let capabilities: StoreCapabilities
    let changes: StoreChanges
    private let state: Mutex<State>
    private let end: @Sendable (ReferenceTables?) -> Void

    private struct State {
        /// Nil when the transaction is over.
        var tables: ReferenceTables?
        /// Whether a nested one is open.
        var isTaken = false
    }

    /// - Parameter end: is given the tables that are to be kept, or nil, once.
    init(
        _ tables: ReferenceTables, of store: some EntityStore,
        end: @escaping @Sendable (ReferenceTables?) -> Void
    ) {
        name = store.name
        capabilities = store.capabilities
        changes = store.changes
        state = Mutex(State(tables: tables))
        self.end = end
    }

    private func use<R: Sendable>(_ body: (inout ReferenceTables) throws -> R) throws -> R {
        try state.withLock { state in
            guard var copy = state.tables else {
                throw CRUDRepositoryError(
                    .transactionEnded, "The transaction is over: it was committed or rolled back.")
            }
            guard !state.isTaken else {
                throw CRUDRepositoryError.unsupported(
                    "calls of a transaction while a nested one is open", by: name)
            }
            let result = try body(&copy)
            state.tables = copy
            return result
        }
    }

    func look<R: Sendable>(_ body: (ReferenceTables) throws -> R) throws -> R {
        try use { try body($0) }
    }

    func change<R: Sendable>(_ body: (inout ReferenceTables) throws -> R) async throws -> R {
        try use(body)
    }

    func open(_ schema: StoreSchema) async throws {
        try use { $0.open(schema) }
    }

    func begin() async throws -> any StoreTransaction {
        let tables = try look { $0 }
        state.withLock { $0.isTaken = true }
        return ReferenceTransaction(tables, of: self) { [self] result in
            state.withLock { state in
                state.isTaken = false
                if let result, state.tables != nil { state.tables = result }
            }
        }
    }

    func commit() async throws {
        let tables = try look { $0 }
        state.withLock { $0.tables = nil }
        end(tables)
    }

    func rollBack() async {
        let wasOpen = state.withLock { state in
            defer { state.tables = nil }
            return state.tables != nil
        }
        if wasOpen { end(nil) }
    }

    func reset() async throws {
        throw CRUDRepositoryError.unsupported("a reset in a transaction", by: name)
    }
}
