internal import Synchronization

/// Something to be done on the writing connection. Used by the writer's thread alone.
protocol SQLiteJob: AnyObject, Sendable {
    /// What it leaves behind when it throws.
    var isolation: SQLiteWriter.Isolation { get }
    /// Whether it has thrown, or its transaction has.
    var hasFailed: Bool { get }
    /// Does it and keeps the result; may be done again after a rollback.
    func perform(on connection: SQLiteConnection)
    /// Replaces the result by an error.
    func fail(_ error: any Error)
    /// Hands the result over.
    func finish()
}

/// A job whose result a task waits for.
final class SQLiteContinuedJob<R: Sendable>: SQLiteJob {
    let isolation: SQLiteWriter.Isolation
    private let body: @Sendable (SQLiteConnection) throws -> R
    private let continuation: CheckedContinuation<R, any Error>
    private let result = Mutex<Result<R, any Error>?>(nil)

    init(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R,
        _ continuation: CheckedContinuation<R, any Error>
    ) {
        self.isolation = isolation
        self.body = body
        self.continuation = continuation
    }

    var hasFailed: Bool {
        result.withLock { result in
            if case .failure = result { return true }
            return false
        }
    }

    func perform(on connection: SQLiteConnection) {
        let new = Result { try body(connection) }
        result.withLock { $0 = new }
    }

    func fail(_ error: any Error) {
        result.withLock { $0 = .failure(error) }
    }

    func finish() {
        let final = result.withLock { $0 } ?? .failure(CancellationError())
        continuation.resume(with: final)
    }
}
