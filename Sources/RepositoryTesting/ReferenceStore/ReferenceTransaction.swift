internal import RepositoryRuntime
internal import Synchronization

/// A copy of the tables, which replaces the original when it is committed.
final class ReferenceTransaction: ReferenceOperations, StoreTransaction {
    /// The tables as the transaction sees them. While a nested transaction is open, they must not
    /// be used.
    private struct State {
        var tables: ReferenceTables
        var isOver = false
        var hasNested = false
    }

    let name = "ReferenceStore"
    let capabilities: StoreCapabilities
    let changes: StoreChanges
    private let state: Mutex<State>
    /// The transaction in which it is nested.
    private let parent: ReferenceTransaction?
    /// Receives the modified tables at a commit, or nil at a rollback.
    private let end: @Sendable (ReferenceTables?) throws -> Void

    init(
        _ tables: ReferenceTables, of store: any EntityStore,
        in parent: ReferenceTransaction? = nil,
        _ end: @escaping @Sendable (ReferenceTables?) throws -> Void
    ) {
        self.parent = parent
        state = Mutex(State(tables: tables))
        capabilities = store.capabilities
        changes = store.changes
        self.end = end
    }

    deinit {
        // A rollback has no changes whose references could dangle, so `end` does not throw.
        if !isOver { try? end(nil) }
    }

    /// Whether it has ended, or one in which it is nested.
    private var isOver: Bool { state.withLock { $0.isOver } || isParentOver }
    private var isParentOver: Bool { parent?.isOver ?? false }

    func open(_ schema: StoreSchema) async throws {
        try await change { try $0.open(schema) }
    }

    /// Calls a closure with the state; throws if the transaction has ended or has a nested one.
    private func using<R: Sendable>(_ body: @Sendable (inout State) throws -> R) throws -> R {
        try state.withLock { state in
            if state.isOver || isParentOver {
                throw CRUDRepositoryError(.transactionEnded, "The transaction is over.")
            }
            if state.hasNested {
                throw CRUDRepositoryError.unsupported("two transactions in one", by: name)
            }
            return try body(&state)
        }
    }

    func inspect<R: Sendable>(_ body: @Sendable (ReferenceTables) throws -> R) throws -> R {
        try using { try body($0.tables) }
    }

    func change<R: Sendable>(
        _ body: @Sendable (inout ReferenceTables) throws -> R
    ) async throws -> R {
        try using { state in
            var copy = state.tables
            let result = try body(&copy)
            try copy.checkUnique()
            state.tables = copy
            return result
        }
    }

    func begin() async throws -> any StoreTransaction {
        let tables = try using { state in
            state.hasNested = true
            return state.tables
        }
        return ReferenceTransaction(tables, of: self, in: self) { [self] changed in
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
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        // A rollback has no changes whose references could dangle, so `end` does not throw.
        if !wasOver, !isParentOver { try? end(nil) }
    }

    func reset(_ schema: StoreSchema) async throws {
        throw CRUDRepositoryError.unsupported("a reset inside a transaction", by: name)
    }
}
