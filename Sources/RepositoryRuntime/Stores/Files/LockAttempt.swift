internal import Dispatch
internal import Foundation
internal import Synchronization

/// How long a call waits for a lock, and what ends the wait earlier.
struct LockWaiting: Sendable {
    /// The limit as it was given.
    let limit: Duration
    private let deadline: ContinuousClock.Instant
    private let cancellation: CancellationFlag?

    /// - Parameters:
    ///   - limit: the time; none for a negative one.
    ///   - cancellation: whether the caller was cancelled.
    init(limit: Duration, _ cancellation: CancellationFlag? = nil) {
        self.limit = limit
        // A sum beyond what an instant holds would be a trap.
        deadline = .now + min(max(limit, .zero), .seconds(1 << 32))
        self.cancellation = cancellation
    }

    /// The same for another lock, with the whole time again.
    var restarted: LockWaiting { LockWaiting(limit: limit, cancellation) }

    var isCancelled: Bool { cancellation?.isCancelled ?? false }

    /// The time that is left; nil where there is none.
    var remaining: Duration? {
        let remaining = deadline - .now
        return remaining > .zero ? remaining : nil
    }

    /// The failure of a call that was cancelled while it waited.
    static func cancelled(_ path: String) -> FileFailure {
        FileFailure(operation: "lock", path: path, code: ECANCELED)
    }

    /// The failure of a call that waited until the limit.
    func busy(_ path: String, holder: String?) -> FileFailure {
        var failure = FileFailure(operation: "lock", path: path, code: EWOULDBLOCK)
        failure.busyLock = BusyLock(limit: limit, holder: holder)
        return failure
    }
}

/// A wait for a lock that another program holds.
///
/// The system has no wait with a limit. So a thread of its own waits without one, in the order in
/// which the system queues the waiting programs; the caller waits for that thread, until it gives
/// up. A later caller takes over the wait that is still going on: there is one such thread for a
/// lock at most, however many callers gave up.
final class LockAttempt: Sendable {
    private enum Outcome {
        case waiting, taken, released
        case failed(FileFailure)
    }

    private struct State {
        var outcome = Outcome.waiting
        var isWanted = true
        var closesFile = false
    }

    /// How often a wait looks whether it was cancelled.
    private static let tick = DispatchTimeInterval.milliseconds(10)

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)
    private let file: Int32
    private let path: String
    private let operations: any FileOperations

    /// Begins to wait for the lock of an open file.
    init(_ file: Int32, _ path: String, _ operations: any FileOperations) {
        self.file = file
        self.path = path
        self.operations = operations
        Thread.detachNewThread { self.run() }
    }

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

    private func release(_ state: inout State) {
        state.outcome = .released
        // Where that fails, closing the file releases the lock.
        try? operations.unlock(file, path)
    }

    private func close() {
        // The descriptor is gone whatever closing reports.
        try? operations.close(file, path)
    }

    /// Waits for the lock; false where a caller that gave up has let it go meanwhile, so that it is
    /// free to be tried.
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

    /// Gives the lock up, unless it has just been taken.
    private func giveUp() -> Bool {
        state.withLock { state in
            guard case .waiting = state.outcome else { return false }
            state.isWanted = false
            return true
        }
    }

    /// Whether the thread still waits.
    var isWaiting: Bool {
        state.withLock { if case .waiting = $0.outcome { true } else { false } }
    }

    /// Closes the file, which nobody needs any more, once the thread no longer uses it.
    func closeFile() {
        state.withLock { state in
            state.isWanted = false
            if case .waiting = state.outcome { state.closesFile = true } else { close() }
        }
    }
}
