internal import RepositoryRuntime
internal import Synchronization

/// The plainest store that keeps the whole contract: dictionaries and loops, nothing fast, nothing shared with the
/// stores that are compared with it.
final class ReferenceStore: ReferenceRecords {
    let name = "ReferenceStore"

    let capabilities = StoreCapabilities([
        .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
        .finders: .native, .versions: .native, .uniqueIndexes: .native, .references: .native,
        .queries: .emulated(cost: "the runtime reads the table"),
        .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
        .updates: .native, .conflictPolicies: .native, .transactions: .native,
        .indexScans: .native,
    ])

    let changes = StoreChanges()
    private let state = Mutex(State())

    private struct State {
        var tables = ReferenceTables()
        /// Whether a transaction is open, so that nobody else may write.
        var isTaken = false
    }

    func look<R: Sendable>(_ body: (ReferenceTables) throws -> R) throws -> R {
        try state.withLock { try body($0.tables) }
    }

    func change<R: Sendable>(_ body: (inout ReferenceTables) throws -> R) async throws -> R {
        try await whenFree { state in
            var copy = state.tables
            let result = try body(&copy)
            state.tables = copy
            return result
        }
    }

    /// Runs a body while no transaction is open.
    private func whenFree<R: Sendable>(_ body: (inout State) throws -> R) async throws -> R {
        while true {
            let result = try state.withLock { state -> R? in
                state.isTaken ? nil : try body(&state)
            }
            if let result { return result }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func open(_ schema: StoreSchema) async throws {
        state.withLock { $0.tables.open(schema) }
    }

    func begin() async throws -> any StoreTransaction {
        let tables = try await whenFree { state in
            state.isTaken = true
            return state.tables
        }
        return ReferenceTransaction(tables, of: self) { [self] result in
            state.withLock { state in
                state.isTaken = false
                if let result { state.tables = result }
            }
        }
    }

    func reset() async throws {
        try await change { $0 = ReferenceTables() }
    }
}
