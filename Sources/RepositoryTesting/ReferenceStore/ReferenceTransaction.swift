internal import RepositoryRuntime
internal import Synchronization

/// A copy of the tables that takes their place when it is committed.
final class ReferenceTransaction: ReferenceOperations, StoreTransaction {
    private struct State {
        var tables: ReferenceTables
        var isOver = false
        var hasNested = false
    }

    let name = "ReferenceStore"
    let capabilities: StoreCapabilities
    let changes: StoreChanges
    private let state: Mutex<State>
    /// Is given what the tables have become, or nil.
    private let end: @Sendable (ReferenceTables?) throws -> Void

    init(
        _ tables: ReferenceTables, of store: any EntityStore,
        _ end: @escaping @Sendable (ReferenceTables?) throws -> Void
    ) {
        state = Mutex(State(tables: tables))
        capabilities = store.capabilities
        changes = store.changes
        self.end = end
    }

    deinit {
        // Without changes there is nothing that could be broken.
        if !state.withLock({ $0.isOver }) { try? end(nil) }
    }

    func open(_ schema: StoreSchema) async throws {
        try await change { try $0.open(schema) }
    }

    private func using<R: Sendable>(_ body: @Sendable (inout State) throws -> R) throws -> R {
        try state.withLock { state in
            if state.isOver {
                throw CRUDRepositoryError(.transactionEnded, "The transaction is over.")
            }
            if state.hasNested {
                throw CRUDRepositoryError.unsupported("two transactions in one", by: name)
            }
            return try body(&state)
        }
    }

    func look<R: Sendable>(_ body: @Sendable (ReferenceTables) throws -> R) throws -> R {
        try using { try body($0.tables) }
    }

    func change<R: Sendable>(
        _ body: @Sendable (inout ReferenceTables) throws -> R
    ) async throws -> R {
        try using { state in
            var copy = state.tables
            let result = try body(&copy)
            state.tables = copy
            return result
        }
    }

    func begin() async throws -> any StoreTransaction {
        let tables = try using { state in
            state.hasNested = true
            return state.tables
        }
        return ReferenceTransaction(tables, of: self) { [self] changed in
            state.withLock { state in
                state.hasNested = false
                if let changed { state.tables = changed }
            }
        }
    }

    func commit() async throws {
        let tables = try using { state in
            state.isOver = true
            return state.tables
        }
        try end(tables)
    }

    func rollBack() async {
        let isOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        // Without changes there is nothing that could be broken.
        if !isOver { try? end(nil) }
    }

    func reset(_ schema: StoreSchema) async throws {
        throw CRUDRepositoryError.unsupported("a reset inside a transaction", by: name)
    }
}
