internal import RepositoryRuntime
internal import Synchronization

/// The plainest store that keeps the whole contract: dictionaries and loops, nothing fast, nothing shared with the
/// stores that are compared with it.
final class ReferenceStore: ReferenceOperations {
    private struct State {
        var tables = ReferenceTables()
        var hasTransaction = false
    }

    let name = "ReferenceStore"

    let capabilities = StoreCapabilities([
        .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
        .finders: .native, .versions: .native, .uniqueIndexes: .native, .references: .native,
        .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
        .queries: .emulated(cost: "the runtime reads the table"), .transactions: .native,
        .snapshots: .native, .updates: .native, .conflictPolicies: .native,
        .indexScans: .native, .idScans: .native,
    ])

    let changes = StoreChanges()
    private let state = Mutex(State())

    func open(_ schema: StoreSchema) async throws {
        try await change { try $0.open(schema) }
    }

    func look<R: Sendable>(_ body: @Sendable (ReferenceTables) throws -> R) throws -> R {
        try state.withLock { try body($0.tables) }
    }

    /// Changes a copy of the tables and keeps it unless the body throws or leaves a broken reference; waits while a
    /// transaction is open.
    func change<R: Sendable>(
        _ body: @Sendable (inout ReferenceTables) throws -> R
    ) async throws -> R {
        try await waiting { state in
            var copy = state.tables
            let result = try body(&copy)
            try copy.checkReferences()
            state.tables = copy
            return result
        }
    }

    /// Runs a body as soon as no transaction is open.
    private func waiting<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) async throws -> R {
        while true {
            let result = try state.withLock { $0.hasTransaction ? nil : try body(&$0) }
            if let result { return result }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func begin() async throws -> any StoreTransaction {
        let tables = try await waiting { state in
            state.hasTransaction = true
            return state.tables
        }
        return ReferenceTransaction(tables, of: self) { [self] changed in
            try state.withLock { state in
                state.hasTransaction = false
                guard var changed else { return }
                try changed.checkReferences()
                state.tables = changed
            }
        }
    }

    func reset(_ schema: StoreSchema) async throws {
        try await change { $0.reset(schema) }
    }
}
