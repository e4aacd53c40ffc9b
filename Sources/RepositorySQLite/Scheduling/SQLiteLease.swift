internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// The exclusive use of the writing connection by one transaction.
///
/// The writer's thread runs the operations of the transaction one by one, as they arrive, until the
/// transaction ends. Other writes wait during that time; reads do not, because the lock of the
/// connection is held for single operations only.
///
/// Any thread may submit operations, cancel the wait, or give it up.
final class SQLiteLease: Sendable {
    /// An operation of the transaction. It receives `nil` if the transaction is over.
    typealias Operation = @Sendable (SQLiteConnection?) -> Void

    /// The phases of a lease, in their order. A lease can change from any phase to `over`, but
    /// never back.
    private enum Phase {
        case waiting(CheckedContinuation<Void, any Error>?)
        /// The lease has its turn and is beginning the transaction, which may wait for a lock.
        case starting
        case running, over
    }

    /// The state that the writer's thread and the threads of the transaction share.
    private struct State {
        var phase = Phase.waiting(nil)
        var operations = WaitingLine<Operation>()
        var isCancelled = false

        var isOver: Bool { if case .over = phase { true } else { false } }
    }

    /// Whether references are checked by the commit. It is `false` if no table has references,
    /// because deferring the checks has a cost.
    private let defersReferences: Bool
    private let state = Mutex(State())
    /// Signals each submitted operation to the writer's thread.
    private let arrivals = DispatchSemaphore(value: 0)

    init(defersReferences: Bool) { self.defersReferences = defersReferences }

    /// Stores the continuation of the task that waits for the connection.
    ///
    /// - Returns: `false` if the wait was cancelled before. The caller then resumes the
    ///   continuation.
    func keep(_ start: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.phase = .waiting(start)
            return true
        }
    }

    /// Cancels the wait for the connection or for a lock of the database. It has no effect on a
    /// running transaction.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        giveUp(CancellationError())
    }

    /// Ends the wait for the connection with an error, unless the lease already has the connection.
    func giveUp(_ error: any Error) {
        let start: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard case .waiting(let start) = state.phase else { return nil }
            state.phase = .over
            return start
        }
        start?.resume(throwing: error)
    }

    /// Submits an operation to the writer's thread. If the transaction is over, the operation runs
    /// at once without a connection.
    func submit(_ operation: @escaping Operation) {
        let isOver = state.withLock { state in
            if !state.isOver { state.operations.append(operation) }
            return state.isOver
        }
        if isOver { operation(nil) } else { arrivals.signal() }
    }

    /// Ends the transaction after the current operation.
    func end() { state.withLock { $0.phase = .over } }

    /// Runs the whole transaction on the writer's thread, which it blocks until the transaction
    /// ends.
    ///
    /// If the transaction cannot begin, the waiting task receives the error. Otherwise the task is
    /// resumed, and submits operations until one of them ends the transaction.
    ///
    /// - Parameters:
    ///   - connection: the writing connection.
    ///   - isObserved: whether the changes of the transaction are recorded for observers.
    ///   - progress: is called before each operation.
    func work(
        on connection: Guarded<LazyConnection>, isObserved: Bool, progress: () -> Void
    ) {
        guard let start = claim() else { return }
        do {
            try connection.use { connection in
                try connection.open().lockWait.run(isCancelled: { self.isCancelled }) {
                    try connection.beginTransaction(
                        isObserved: isObserved, defersReferences: defersReferences)
                }
            }
            state.withLock { $0.phase = .running }
        } catch {
            end()
            let isBusy = (error as? SQLiteError)?.isRetryable ?? false
            start.resume(throwing: isBusy && isCancelled ? CancellationError() : error)
            while let operation = next() { operation(nil) }
            return
        }
        start.resume()
        while !state.withLock({ $0.isOver }) {
            arrivals.wait()
            guard let operation = next() else { continue }
            progress()
            // The lock is held for one operation at a time: the connection of a database in memory
            // also serves reads.
            connection.use { connection in
                operation(connection.opened)
                // Before the lock is released: the task that waits for the end may read already.
                connection.dropCopyIfCommitted()
            }
        }
        connection.use { $0.endTransaction() }
        while let operation = next() { operation(nil) }
    }

    /// Takes the continuation of the waiting task; `nil` if the wait was cancelled or given up.
    private func claim() -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            guard case .waiting(let start?) = state.phase else { return nil }
            state.phase = .starting
            return start
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Removes the next submitted operation; `nil` if there is none.
    private func next() -> Operation? {
        state.withLock { $0.operations.popFirst() }
    }
}
