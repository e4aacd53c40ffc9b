internal import Synchronization

/// A task that waits for a connection, until it gets one or is cancelled, whichever happens first.
///
/// It guarantees that the continuation is resumed only once.
final class SQLiteTurn<R: Sendable>: Sendable {
    /// The state of the task: not waiting yet, taken by the connection or the cancellation, or
    /// waiting.
    private enum State {
        case new, taken
        case waiting(CheckedContinuation<R, any Error>)
    }

    private let state = Mutex(State.new)

    /// Stores the continuation of the waiting task.
    ///
    /// - Returns: `false` if the task was cancelled before. The caller then resumes the
    ///   continuation.
    func keep(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// Takes the continuation. Only the first call returns it; the caller must resume it.
    func take() -> CheckedContinuation<R, any Error>? {
        state.withLock { state in
            defer { state = .taken }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
    }
}
