internal import CSQLite
internal import Synchronization

/// Ends a running query when its task is cancelled.
final class SQLiteInterruption: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        /// The handle of the connection the query runs on. Not used but to interrupt, which any
        /// thread may do as long as the connection is open, and it is while this is set.
        nonisolated(unsafe) var running: OpaquePointer?
    }

    /// After how many instructions of SQLite's it looks whether the query is still wanted: some tens of microseconds.
    private static let instructions: Int32 = 10_000

    /// Runs a query that ``cancel()`` ends.
    func run<R>(on connection: SQLiteConnection, _ body: () throws -> R) throws -> R {
        let isCancelled = state.withLock { state in
            state.running = connection.handle
            return state.isCancelled
        }
        // Under the lock, so that no interruption reaches whatever the connection does next.
        defer { state.withLock { $0.running = nil } }
        if isCancelled { throw CancellationError() }
        // An interruption that comes before the first step, or between two statements, is forgotten by SQLite.
        sqlite3_progress_handler(
            connection.handle, Self.instructions,
            { context in
                guard let context else { return 0 }
                let own = Unmanaged<SQLiteInterruption>.fromOpaque(context)
                return own.takeUnretainedValue().isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        do {
            return try body()
        } catch let error as SQLiteError where error.primaryCode == SQLITE_INTERRUPT {
            throw CancellationError()
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let running = state.running { sqlite3_interrupt(running) }
        }
    }
}
