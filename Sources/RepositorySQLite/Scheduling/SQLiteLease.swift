internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// The writing connection in the hands of one transaction: the writer's thread does its operations
/// one by one, as they come, until it ends.
final class SQLiteLease: Sendable {
    /// What is to be done; without a connection the transaction is over.
    typealias Operation = @Sendable (SQLiteConnection?) -> Void

    private enum Phase {
        case waiting(CheckedContinuation<Void, any Error>?)
        /// It has the connection and waits for the database.
        case starting
        case running, over
    }

    private struct State {
        var phase = Phase.waiting(nil)
        var operations = WaitingLine<Operation>()
        var isCancelled = false

        var isOver: Bool { if case .over = phase { true } else { false } }
    }

    /// Whether references are looked at by the commit; where there are none the looking need not be
    /// put off.
    private let defersReferences: Bool
    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    init(defersReferences: Bool) { self.defersReferences = defersReferences }

    /// Keeps the task that waits for the connection; false where that was cancelled already.
    func keep(_ start: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.phase = .waiting(start)
            return true
        }
    }

    /// Ends the waiting for the connection and for the database, unless that is over.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        giveUp(CancellationError())
    }

    /// Ends the waiting for the connection with an error, unless that is over.
    func giveUp(_ error: any Error) {
        let start: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard case .waiting(let start) = state.phase else { return nil }
            state.phase = .over
            return start
        }
        start?.resume(throwing: error)
    }

    /// Hands an operation to the writer's thread.
    func submit(_ operation: @escaping Operation) {
        let isOver = state.withLock { state in
            if !state.isOver { state.operations.append(operation) }
            return state.isOver
        }
        if isOver { operation(nil) } else { arrivals.signal() }
    }

    /// Lets the operation that is being done be the last.
    func end() { state.withLock { $0.phase = .over } }

    /// Does everything from the beginning of the transaction to its end, on the writer's thread.
    ///
    /// - Parameter progress: is called before each operation.
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
            // Taken for one operation only: of a database in memory it is also the connection that
            // reads.
            connection.use { operation($0.opened) }
        }
        connection.use { $0.endTransaction() }
        while let operation = next() { operation(nil) }
    }

    private func claim() -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            guard case .waiting(let start?) = state.phase else { return nil }
            state.phase = .starting
            return start
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func next() -> Operation? {
        state.withLock { $0.operations.popFirst() }
    }
}
