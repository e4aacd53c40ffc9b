internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// A pool of connections for long reads, which run on threads that may block.
///
/// One job at a time uses a connection. Further jobs wait in a queue, first in, first out. The pool
/// of a database in memory has a single connection, whose lock it shares with the writer.
final class SQLiteScanPool: Sendable {
    /// The idle connections and the waiting jobs. A job waits only while no connection is idle.
    private struct State {
        var idle: [Int]
        var waiting = WaitingLine<Job>()
        /// The number of turns that have begun.
        var turns: UInt64 = 0
        /// Whether the store was closed.
        var isClosed = false
    }

    /// A read with its continuation.
    private struct Job {
        /// Runs the read; the error is reported if the connection could not be opened.
        let run: @Sendable (SQLiteConnection?, (any Error)?) -> Void
        /// Ends the wait of the job with an error, unless it has begun.
        let giveUp: @Sendable (any Error) -> Void
    }

    /// The connections. ``State`` refers to them by their indexes.
    private let connections: [Guarded<LazyConnection>]
    private let state: Mutex<State>
    /// Runs one block per busy connection.
    private let queue = DispatchQueue(
        label: "RepositorySQLite.scans", qos: .userInitiated, attributes: .concurrent)

    /// Ends the wait of jobs when no job of the pool ends within the limit.
    private let watch: SQLiteQueueWatch

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - connections: the connections, which are opened on first use.
    ///   - limit: the time that a job waits while no other job ends.
    init(_ connections: [Guarded<LazyConnection>], limit: Duration) {
        self.connections = connections
        watch = SQLiteQueueWatch(limit: limit)
        state = Mutex(State(idle: Array(connections.indices)))
    }

    /// Runs a job on the next idle connection. A task that is cancelled before the job begins stops
    /// waiting.
    ///
    /// - Throws: `CancellationError`; `storeClosed`; a retryable error if the job has waited too
    ///   long.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let interruption = SQLiteInterruption()
        let turn = SQLiteTurn<R>()
        let handover = ResultHandover()
        defer { handover.pass() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard turn.keep(continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                let job = Job { connection, error in
                    guard let continuation = turn.take() else { return }
                    let result = Result {
                        guard let connection else { throw error ?? CancellationError() }
                        return try interruption.run(on: connection) { try body(connection) }
                    }
                    handover.pass()
                    continuation.resume(with: result)
                } giveUp: { error in
                    turn.take()?.resume(throwing: error)
                }
                submit(job)
            }
        } onCancel: {
            interruption.cancel()
            turn.take()?.resume(throwing: CancellationError())
        }
    }

    /// Starts a job on an idle connection, or appends it to the queue.
    private func submit(_ job: Job) {
        let (free, isOpen): (Int?, Bool) = state.withLock { state in
            if state.isClosed { return (nil, false) }
            guard let index = state.idle.popLast() else {
                state.waiting.append(job)
                return (nil, true)
            }
            state.turns &+= 1
            return (index, true)
        }
        guard isOpen else { return job.giveUp(CRUDRepositoryError.storeClosed) }
        if let free { return queue.async { self.work(job, on: free) } }
        guard watch.mustStart() else { return }
        watch.start(
            { [weak self] in self?.report },
            { [weak self] count, report in self?.expire(count, since: report) })
    }

    /// Ends the waits of all jobs that have not begun, and of all later ones.
    func refuse() {
        let jobs = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = WaitingLine() }
            return state.waiting.prefix(state.waiting.count)
        }
        for job in jobs { job.giveUp(CRUDRepositoryError.storeClosed) }
    }

    /// Closes the connections after the current jobs. ``refuse()`` was called before.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async(flags: .barrier) {
                for connection in self.connections { connection.use { $0.close() } }
                continuation.resume()
            }
        }
    }

    /// The state of the queue, for the watch.
    private var report: SQLiteQueueWatch.Report {
        state.withLock { .init(turns: $0.turns, waiting: $0.waiting.count) }
    }

    /// Ends the wait of the first jobs in the queue, unless a turn has begun since the report.
    private func expire(_ count: Int, since report: SQLiteQueueWatch.Report) {
        let jobs = state.withLock { state in
            state.turns == report.turns ? state.waiting.prefix(count) : []
        }
        let error = watch.expiry("a connection that reads: all \(connections.count) are in use")
        for job in jobs { job.giveUp(error) }
    }

    /// Runs a job and then the waiting jobs on one connection, until the queue is empty.
    private func work(_ first: Job, on index: Int) {
        var job = first
        while true {
            connections[index].use { connection in
                do {
                    job.run(try connection.openForReading(), nil)
                } catch {
                    job.run(nil, error)
                }
            }
            let next: Job? = state.withLock { state in
                guard let next = state.waiting.popFirst() else {
                    state.idle.append(index)
                    return nil
                }
                state.turns &+= 1
                return next
            }
            guard let next else { return }
            job = next
        }
    }
}
