internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Connections for long reads, each used by one job at a time, on threads that may wait for a disk.
/// Jobs beyond them wait their turn.
final class SQLiteScanPool: Sendable {
    private struct State {
        var idle: [Int]
        var waiting: [@Sendable (SQLiteConnection?, (any Error)?) -> Void] = []
    }

    private let connections: [Guarded<LazyConnection>]
    private let state: Mutex<State>
    private let queue = DispatchQueue(
        label: "RepositorySQLite.scans", qos: .userInitiated, attributes: .concurrent)

    init(_ connections: [Guarded<LazyConnection>]) {
        self.connections = connections
        state = Mutex(State(idle: Array(connections.indices)))
    }

    /// Runs a job on the next free connection.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let interruption = SQLiteInterruption()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit { connection, error in
                    continuation.resume(
                        with: Result {
                            guard let connection else { throw error ?? CancellationError() }
                            return try interruption.run(on: connection) { try body(connection) }
                        })
                }
            }
        } onCancel: {
            interruption.cancel()
        }
    }

    private func submit(_ job: @escaping @Sendable (SQLiteConnection?, (any Error)?) -> Void) {
        let free: Int? = state.withLock { state in
            if let index = state.idle.popLast() { return index }
            state.waiting.append(job)
            return nil
        }
        guard let free else { return }
        queue.async { self.work(job, on: free) }
    }

    private func work(
        _ first: @escaping @Sendable (SQLiteConnection?, (any Error)?) -> Void, on index: Int
    ) {
        var job = first
        while true {
            connections[index].use { connection in
                do {
                    job(try connection.openForReading(), nil)
                } catch {
                    job(nil, error)
                }
            }
            let next: (@Sendable (SQLiteConnection?, (any Error)?) -> Void)? = state.withLock {
                guard !$0.waiting.isEmpty else {
                    $0.idle.append(index)
                    return nil
                }
                return $0.waiting.removeFirst()
            }
            guard let next else { return }
            job = next
        }
    }
}

/// Ends a running query when its task is cancelled.
final class SQLiteInterruption: Sendable {
    private struct State {
        var isCancelled = false
        /// The handle of the connection the query runs on. Not used but to interrupt, which any
        /// thread may do as long as the connection is open, and it is while this is set.
        nonisolated(unsafe) var running: OpaquePointer?
    }

    private let state = Mutex(State())

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
