internal import RepositoryRuntime
internal import Synchronization

/// An operation on the writing connection.
///
/// Only the writer's thread runs it; any thread may cancel it. A job is given up if its task stops
/// waiting for it before it has begun.
protocol SQLiteJob: AnyObject, Sendable {
    /// What the job may leave behind when it throws.
    var isolation: SQLiteWriter.Isolation { get }
    /// Whether the job or its transaction failed, or the job was given up before it began.
    var hasFailed: Bool { get }
    /// Whether the task was cancelled, before or after the job began.
    var isCancelled: Bool { get }
    /// Whether the task no longer waits, because the job was given up.
    var isGivenUp: Bool { get }
    /// Marks the job as begun. From then on it cannot be given up.
    ///
    /// - Returns: `false` if the job was given up before.
    func start() -> Bool
    /// Runs the job and stores its result. It may run again after a rollback.
    func perform(on connection: SQLiteConnection)
    /// Replaces the result by an error.
    func fail(_ error: any Error)
    /// Ends the waiting of the task with an error, unless the job has begun.
    func giveUp(_ error: any Error)
    /// Resumes the task with the result.
    func finish()
}

/// A job whose result a task waits for, by means of a continuation.
///
/// The continuation is resumed exactly once.
final class SQLiteContinuedJob<R: Sendable>: SQLiteJob {
    /// The state that the writer's thread, the waiting task and the canceller share.
    private struct State {
        /// The waiting task; `nil` before it waits and after it was resumed.
        var continuation: CheckedContinuation<R, any Error>?
        /// The result of the last run; `nil` before the job ran.
        var result: Result<R, any Error>?
        /// Whether the writer has begun the job.
        var hasStarted = false
        var isCancelled = false
        /// Whether the task was resumed, or never waited because it was cancelled.
        var isOver = false
    }

    let isolation: SQLiteWriter.Isolation
    /// The operation, which may run more than once.
    private let body: @Sendable (SQLiteConnection) throws -> R
    private let state = Mutex(State())

    init(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) {
        self.isolation = isolation
        self.body = body
    }

    /// Stores the continuation of the waiting task.
    ///
    /// - Returns: `false` if the task was cancelled before. The caller then resumes the
    ///   continuation.
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

    /// Cancels the job. If it has not begun, it does not run. If it has begun, it runs to its end.
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
        // The job failed because it stopped waiting for a lock, and it did so because of the
        // cancellation.
        if isCancelled, case .failure(let error as SQLiteError) = result, error.isRetryable {
            return waiting.resume(throwing: CancellationError())
        }
        waiting.resume(with: result ?? .failure(CancellationError()))
    }
}
