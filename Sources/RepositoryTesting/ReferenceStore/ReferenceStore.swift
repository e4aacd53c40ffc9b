internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// The reference implementation of the store contract, with which random runs compare a store.
///
/// It consists of dictionaries and linear searches, and shares no code with the stores of the
/// runtime.
final class ReferenceStore: ReferenceOperations {
    /// The tables, and whether a transaction is open. Only one transaction is open at a time.
    private struct State {
        var tables = ReferenceTables()
        var hasTransaction = false
        var isClosed = false

        /// Throws if the store was closed.
        func check() throws { if isClosed { throw CRUDRepositoryError.storeClosed } }
    }

    let name = "ReferenceStore"

    let capabilities = StoreCapabilities([
        .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
        .finders: .native, .versions: .native, .uniqueIndexes: .native,
        .uniqueExchange: .native, .references: .native,
        .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
        .queries: .emulated(cost: "the runtime reads the table"), .transactions: .native,
        .snapshots: .native, .updates: .native, .conflictPolicies: .native,
        .indexScans: .native, .idScans: .native, .closing: .native,
        .backups: .native, .compaction: .native,
    ])

    let changes = StoreChanges()
    private let state = Mutex(State())

    func open(_ schema: StoreSchema) async throws {
        try await change { try $0.open(schema) }
    }

    func inspect<R: Sendable>(_ body: @Sendable (ReferenceTables) throws -> R) throws -> R {
        try state.withLock { state in
            try state.check()
            return try body(state.tables)
        }
    }

    /// Modifies a copy of the tables and stores it if the closure does not throw and no reference
    /// dangles. Waits while a transaction is open.
    func change<R: Sendable>(
        _ body: @Sendable (inout ReferenceTables) throws -> R
    ) async throws -> R {
        try await waiting { state in
            var copy = state.tables
            let result = try body(&copy)
            try copy.checkUnique()
            try copy.checkReferences()
            state.tables = copy
            return result
        }
    }

    /// Calls a closure as soon as no transaction is open.
    private func waiting<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) async throws -> R {
        while true {
            try Task.checkCancellation()
            let result = try state.withLock { state in
                try state.check()
                return state.hasTransaction ? nil : try body(&state)
            }
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

    /// Has no indexes to rebuild.
    func rebuildIndexes() async throws { try state.withLock { try $0.check() } }

    /// Closes the store. Waits while a transaction is open; what waits for it throws.
    func close() async throws {
        state.withLock { $0.isClosed = true }
        changes.finish()
        while state.withLock({ $0.hasTransaction }) { await Task.yield() }
    }

    /// The tables of the backups of this process, by what their files contain.
    private static let backups = Mutex<[String: ReferenceTables]>([:])

    /// Writes the key of a copy of the tables to a new file.
    func backup(to url: URL) async throws {
        let key = UUID().uuidString
        let tables = try inspect { $0 }
        do {
            try Data(key.utf8).write(to: url, options: .withoutOverwriting)
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The backup cannot be written.", underlyingError: error)
        }
        Self.backups.withLock { $0[key] = tables }
    }

    func restore(from url: URL) async throws {
        let key = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
        guard let key, let tables = Self.backups.withLock({ $0[key] }) else {
            throw CRUDRepositoryError(.invalidBackup, "'\(url.path)' is no backup.")
        }
        try await change { stored in
            guard stored.tables.isEmpty else {
                throw CRUDRepositoryError(.storeNotEmpty, "The store is not empty.")
            }
            stored = tables
        }
    }

    /// Has nothing to release.
    func compact() async throws { try state.withLock { try $0.check() } }
}
