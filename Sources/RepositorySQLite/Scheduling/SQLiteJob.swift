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

/// The progress of a ``SQLiteContinuedJob``, which the writer's thread, the waiting task and the
/// canceller share.
private struct SQLiteJobProgress {
    /// Whether the task waits with a continuation, or has waited.
    var isWaiting = false
    /// Whether the last run failed.
    var hasFailed = false
    /// Whether the writer has begun the job.
    var hasStarted = false
    var isCancelled = false
    /// Whether the task was resumed, or never waited because it was cancelled.
    var isOver = false
}

/// A job whose result a task waits for, by means of a continuation.
///
/// The continuation is resumed exactly once.
final class SQLiteContinuedJob<R: Sendable>: SQLiteJob {
    let isolation: SQLiteWriter.Isolation
    /// The operation, which may run more than once.
    private let body: @Sendable (SQLiteConnection) throws -> R
    private let progress = Mutex(SQLiteJobProgress())
    /// The waiting task; `nil` before it waits.
    ///
    /// It is stored before ``SQLiteJobProgress/isWaiting`` is set. Who sets
    /// ``SQLiteJobProgress/isOver`` resumes it, and nobody else uses it from then on. It is not a
    /// part of the value in the lock, because the type of that value would be generic: its metadata
    /// was looked up at each access, which took a tenth of the instructions of a durable write.
    nonisolated(unsafe) private var continuation: CheckedContinuation<R, any Error>?
    /// The result of the last run; `nil` before the job ran. Only the writer's thread uses it.
    nonisolated(unsafe) private var result: Result<R, any Error>?

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
        self.continuation = continuation
        return progress.withLock { progress in
            progress.isWaiting = !progress.isCancelled
            progress.isOver = progress.isCancelled
            return progress.isWaiting
        }
    }

    /// Cancels the job. If it has not begun, it does not run. If it has begun, it runs to its end.
    func cancel() {
        progress.withLock { $0.isCancelled = true }
        giveUp(CancellationError())
    }

    var hasFailed: Bool { progress.withLock { $0.hasFailed || $0.isOver } }

    var isCancelled: Bool { progress.withLock { $0.isCancelled } }

    var isGivenUp: Bool { progress.withLock { $0.isOver } }

    func start() -> Bool {
        progress.withLock { progress in
            if !progress.isOver { progress.hasStarted = true }
            return progress.hasStarted
        }
    }

    func perform(on connection: SQLiteConnection) {
        store(Result { try body(connection) })
    }

    func fail(_ error: any Error) {
        store(.failure(error))
    }

    private func store(_ new: Result<R, any Error>) {
        var hasFailed = false
        if case .failure = new { hasFailed = true }
        progress.withLock { $0.hasFailed = hasFailed }
        result = new
    }

    func giveUp(_ error: any Error) {
        let mustResume = progress.withLock { progress in
            guard progress.isWaiting, !progress.hasStarted, !progress.isOver else { return false }
            progress.isOver = true
            return true
        }
        if mustResume { continuation?.resume(throwing: error) }
    }

    func finish() {
        let (mustResume, isCancelled) = progress.withLock { progress in
            defer { progress.isOver = true }
            return (!progress.isOver, progress.isCancelled)
        }
        guard mustResume, let continuation else { return }
        // The job failed because it stopped waiting for a lock, and it did so because of the
        // cancellation.
        if isCancelled, case .failure(let error as SQLiteError) = result, error.isRetryable {
            return continuation.resume(throwing: CancellationError())
        }
        continuation.resume(with: result ?? .failure(CancellationError()))
    }
}
