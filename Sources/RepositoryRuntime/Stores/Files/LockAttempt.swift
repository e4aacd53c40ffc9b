internal import Dispatch
internal import Foundation
internal import Synchronization

/// The time limit of a wait for a lock, and the cancellation that ends the wait earlier.
struct LockWaiting: Sendable {
    /// The time limit as given by the caller.
    let limit: Duration
    /// The time at which the wait ends.
    private let deadline: ContinuousClock.Instant
    private let cancellation: CancellationFlag?

    /// Creates a time limit that starts now.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait. A negative limit means no wait.
    ///   - cancellation: The flag that a cancelled caller sets.
    init(limit: Duration, _ cancellation: CancellationFlag? = nil) {
        self.limit = limit
        // Adding a longer duration could overflow an instant and trap.
        deadline = .now + min(max(limit, .zero), .seconds(1 << 32))
        self.cancellation = cancellation
    }

    /// The same limit for another lock, starting now.
    var restarted: LockWaiting { LockWaiting(limit: limit, cancellation) }

    /// Whether the caller was cancelled.
    var isCancelled: Bool { cancellation?.isCancelled ?? false }

    /// The remaining time; nil if the limit has passed.
    var remaining: Duration? {
        let remaining = deadline - .now
        return remaining > .zero ? remaining : nil
    }

    /// The failure of a call that was cancelled while it waited.
    static func cancelled(_ path: String) -> FileFailure {
        FileFailure(operation: "lock", path: path, code: ECANCELED)
    }

    /// The failure of a call that waited until the time limit.
    func busy(_ path: String, holder: String?) -> FileFailure {
        var failure = FileFailure(operation: "lock", path: path, code: EWOULDBLOCK)
        failure.busyLock = BusyLock(limit: limit, holder: holder)
        return failure
    }
}

/// A wait for a lock that another process holds.
///
/// The system has no call that waits for a lock with a time limit. A separate thread therefore
/// waits without a limit, in the order in which the system queues the processes. The caller waits
/// for that thread until it gives up. A later caller reuses a wait that is still in progress, so
/// that each lock has at most one waiting thread, regardless of the number of callers that gave up.
///
/// If the thread gets the lock after the caller has given up, it releases the lock immediately.
final class LockAttempt: Sendable {
    /// The progress of the thread. `released` means that it got the lock after the caller had given
    /// up.
    private enum Outcome {
        case waiting, taken, released
        case failed(FileFailure)
    }

    /// The state that thread and caller share.
    private struct State {
        var outcome = Outcome.waiting
        /// Whether a caller still waits for the lock.
        var isWanted = true
        /// Whether the thread closes the file when it ends.
        var closesFile = false
    }

    /// The interval at which a waiting caller checks for cancellation and the time limit.
    private static let tick = DispatchTimeInterval.milliseconds(10)

    private let state = Mutex(State())
    /// Signaled when the thread ends.
    private let end = DispatchSemaphore(value: 0)
    /// The descriptor of the lock file. The thread uses it until it ends, so that nothing else may
    /// close it before.
    private let file: Int32
    private let path: String
    private let operations: any FileOperations

    /// Starts a thread that waits for the lock of an open file.
    init(_ file: Int32, _ path: String, _ operations: any FileOperations) {
        self.file = file
        self.path = path
        self.operations = operations
        Thread.detachNewThread { self.run() }
    }

    /// The body of the thread.
    private func run() {
        var failure: FileFailure?
        do throws(FileFailure) {
            try operations.lock(file, path)
        } catch {
            failure = error
        }
        state.withLock { state in
            if let failure {
                state.outcome = .failed(failure)
            } else if state.isWanted {
                state.outcome = .taken
            } else {
                release(&state)
            }
            if state.closesFile { close() }
        }
        end.signal()
    }

    /// Releases the lock, because no caller waits for it.
    private func release(_ state: inout State) {
        state.outcome = .released
        // If `unlock` fails, closing the file releases the lock.
        try? operations.unlock(file, path)
    }

    private func close() {
        // The descriptor is invalid after `close`, even if `close` reports an error.
        try? operations.close(file, path)
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - waiting: The time limit.
    ///   - holder: Returns the description of the process that holds the lock, for the error
    ///     message.
    /// - Returns: False if the thread has released the lock because an earlier caller had given up.
    ///   The lock may then be free, and the caller tries to take it.
    /// - Throws: A failure with `ECANCELED` or a ``BusyLock`` if the wait ended without the lock.
    func wait(_ waiting: LockWaiting, holder: () -> String?) throws(FileFailure) -> Bool {
        state.withLock { $0.isWanted = true }
        while true {
            let (isTaken, failure, isOver) = state.withLock { state in
                switch state.outcome {
                case .waiting: (false, nil as FileFailure?, false)
                case .taken: (true, nil, true)
                case .released: (false, nil, true)
                case .failed(let failure): (false, failure, true)
                }
            }
            if let failure { throw failure }
            if isOver { return isTaken }
            let remaining = waiting.remaining
            if waiting.isCancelled || remaining == nil, giveUp() {
                if waiting.isCancelled { throw LockWaiting.cancelled(path) }
                throw waiting.busy(path, holder: holder())
            }
            _ = end.wait(timeout: .now() + Self.tick)
        }
    }

    /// Gives up the wait. Returns false if the thread has ended in the meantime.
    private func giveUp() -> Bool {
        state.withLock { state in
            guard case .waiting = state.outcome else { return false }
            state.isWanted = false
            return true
        }
    }

    /// Whether the thread still waits for the lock.
    var isWaiting: Bool {
        state.withLock { if case .waiting = $0.outcome { true } else { false } }
    }

    /// Closes the file, which no caller needs any more, as soon as the thread no longer uses it.
    func closeFile() {
        state.withLock { state in
            state.isWanted = false
            if case .waiting = state.outcome { state.closesFile = true } else { close() }
        }
    }
}
