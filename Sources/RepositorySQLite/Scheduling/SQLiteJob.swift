internal import RepositoryRuntime
internal import Synchronization

/// Something to be done on the writing connection. Run by the writer's thread alone; cancelled by
/// any.
protocol SQLiteJob: AnyObject, Sendable {
    /// What it leaves behind when it throws.
    var isolation: SQLiteWriter.Isolation { get }
    /// Whether it has thrown, or its transaction has, or it was given up before it began.
    var hasFailed: Bool { get }
    /// Whether its task has been cancelled, before it began or since.
    var isCancelled: Bool { get }
    /// Whether its task has its answer, because it was given up.
    var isGivenUp: Bool { get }
    /// Begins the job; false where it was given up before. From then on it cannot be given up.
    func start() -> Bool
    /// Does it and keeps the result; may be done again after a rollback.
    func perform(on connection: SQLiteConnection)
    /// Replaces the result by an error.
    func fail(_ error: any Error)
    /// Gives it up with an error, unless it has begun.
    func giveUp(_ error: any Error)
    /// Hands the result over.
    func finish()
}

/// A job whose result a task waits for.
final class SQLiteContinuedJob<R: Sendable>: SQLiteJob {
    private struct State {
        /// Nil before the task waits, and once it has its answer.
        var continuation: CheckedContinuation<R, any Error>?
        var result: Result<R, any Error>?
        var hasStarted = false
        var isCancelled = false
        /// Whether the task has its answer.
        var isOver = false
    }

    let isolation: SQLiteWriter.Isolation
    private let body: @Sendable (SQLiteConnection) throws -> R
    private let state = Mutex(State())

    init(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) {
        self.isolation = isolation
        self.body = body
    }

    /// Keeps the task that waits for the result; false where it was cancelled before.
    func keep(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        state.withLock { state in
            if state.isCancelled {
                state.isOver = true
                return false
            }
            state.continuation = continuation
            return true
        }
    }

    /// Cancels the job: one that has not begun does not happen, one that has begun ends by itself.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        giveUp(CancellationError())
    }

    var hasFailed: Bool {
        state.withLock { state in
            if case .failure = state.result { return true }
            return state.isOver
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    var isGivenUp: Bool { state.withLock { $0.isOver } }

    func start() -> Bool {
        state.withLock { state in
            if !state.isOver { state.hasStarted = true }
            return state.hasStarted
        }
    }

    func perform(on connection: SQLiteConnection) {
        let new = Result { try body(connection) }
        state.withLock { $0.result = new }
    }

    func fail(_ error: any Error) {
        state.withLock { $0.result = .failure(error) }
    }

    func giveUp(_ error: any Error) {
        let waiting: CheckedContinuation<R, any Error>? = state.withLock { state in
            guard !state.hasStarted, let continuation = state.continuation else { return nil }
            state.isOver = true
            state.continuation = nil
            return continuation
        }
        waiting?.resume(throwing: error)
    }

    func finish() {
        let (waiting, result, isCancelled) = state.withLock { state in
            defer {
                state.isOver = true
                state.continuation = nil
            }
            return (state.continuation, state.result, state.isCancelled)
        }
        guard let waiting else { return }
        // What it waited for, it did not get because nobody wanted it any more.
        if isCancelled, case .failure(let error as SQLiteError) = result, error.isRetryable {
            return waiting.resume(throwing: CancellationError())
        }
        waiting.resume(with: result ?? .failure(CancellationError()))
    }
}
