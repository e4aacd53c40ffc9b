internal import RepositoryRuntime
internal import Synchronization

/// A store whose first commits fail with `transactionConflict`.
struct ConflictingStore: EntityStoreWrapper {
    let store: any EntityStore
    /// The number of commits that still fail.
    private let conflicts: Attempts

    init(store: any EntityStore, conflicts: Int) {
        self.store = store
        self.conflicts = Attempts(left: conflicts)
    }

    func begin() async throws -> any StoreTransaction {
        Transaction(transaction: try await store.begin(), conflicts: conflicts)
    }

    /// A transaction that is rolled back at the commit while conflicts remain.
    private struct Transaction: EntityStoreWrapper, StoreTransaction {
        let transaction: any StoreTransaction
        let conflicts: Attempts
        var store: any EntityStore { transaction }

        func commit() async throws {
            guard conflicts.takeOne() else { return try await transaction.commit() }
            await transaction.rollBack()
            throw CRUDRepositoryError(
                .transactionConflict, "Another transaction committed first.", isRetryable: true)
        }

        func rollBack() async { await transaction.rollBack() }
    }
}

/// A thread-safe counter of attempts.
final class Attempts: Sendable {
    private let value: Mutex<Int>

    init(left: Int = 0) { value = Mutex(left) }

    /// The number of attempts counted, or remaining.
    var number: Int { value.withLock { $0 } }

    /// Increments the number.
    func count() { value.withLock { $0 += 1 } }

    /// Decrements the number; returns false if it is zero.
    func takeOne() -> Bool {
        value.withLock { value in
            guard value > 0 else { return false }
            value -= 1
            return true
        }
    }
}

/// A barrier at which tasks wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Suspends until the gate is open.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Opens the gate permanently.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
