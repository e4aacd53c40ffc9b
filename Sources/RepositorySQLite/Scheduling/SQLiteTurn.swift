internal import Synchronization

/// A task that waits for a connection, until it has one or is cancelled, whatever comes first.
final class SQLiteTurn<R: Sendable>: Sendable {
    private enum State {
        case new, taken
        case waiting(CheckedContinuation<R, any Error>)
    }

    private let state = Mutex(State.new)

    /// Keeps the task; false where it was cancelled already.
    func keep(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// The task, for the first who asks.
    func take() -> CheckedContinuation<R, any Error>? {
        state.withLock { state in
            defer { state = .taken }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
    }
}
