internal import CSQLite
internal import Synchronization

/// Interrupts a running query when its task is cancelled. ``cancel()`` may be called on any thread.
///
/// `sqlite3_interrupt` ends a running statement. A progress handler ends statements that begin
/// after the cancellation. A wait for a lock ends because the busy handler checks for cancellation.
final class SQLiteInterruption: Sendable {
    private let state = Mutex(State())

    /// The state that the reading thread and the cancelling thread share.
    private struct State {
        var isCancelled = false
        /// The connection that runs the query. It is used only to interrupt the query, which any
        /// thread may do while the connection is open. The connection is open while this is set.
        nonisolated(unsafe) var running: OpaquePointer?
    }

    /// The number of virtual machine instructions between two checks for cancellation: some tens of
    /// microseconds.
    private static let instructions: Int32 = 10_000

    /// Runs a query that ``cancel()`` interrupts.
    ///
    /// - Throws: `CancellationError` if the query was cancelled.
    func run<R>(on connection: SQLiteConnection, _ body: () throws -> R) throws -> R {
        let isCancelled = state.withLock { state in
            state.running = connection.handle
            return state.isCancelled
        }
        // Reset under the lock, so that an interrupt cannot reach the next statement of the
        // connection.
        defer { state.withLock { $0.running = nil } }
        if isCancelled { throw CancellationError() }
        // SQLite ignores an interrupt before the first step and between two statements. The
        // progress handler covers those cases.
        sqlite3_progress_handler(
            connection.handle, Self.instructions,
            { context in
                guard let context else { return 0 }
                let own = Unmanaged<SQLiteInterruption>.fromOpaque(context)
                return own.takeUnretainedValue().isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        do {
            return try connection.lockWait.run(isCancelled: { self.isCancelled }, body)
        } catch let error as SQLiteError
            where error.primaryCode == SQLITE_INTERRUPT || error.isRetryable && isCancelled
        {
            throw CancellationError()
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the query, or prevents it from starting.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let running = state.running { sqlite3_interrupt(running) }
        }
    }
}
