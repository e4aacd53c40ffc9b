internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// Connections for long reads, each used by one job at a time, on threads that may wait for a disk.
/// Jobs beyond them wait their turn.
final class SQLiteScanPool: Sendable {
    private struct State {
        var idle: [Int]
        var waiting = WaitingLine<Job>()
        /// How many turns have begun.
        var turns: UInt64 = 0
    }

    /// Something to be done with a connection.
    private struct Job {
        /// Does it; with an error where there is no connection.
        let run: @Sendable (SQLiteConnection?, (any Error)?) -> Void
        /// Gives it up with an error, unless it has begun.
        let giveUp: @Sendable (any Error) -> Void
    }

    private let connections: [Guarded<LazyConnection>]
    private let state: Mutex<State>
    private let queue = DispatchQueue(
        label: "RepositorySQLite.scans", qos: .userInitiated, attributes: .concurrent)

    private let watch: SQLiteQueueWatch

    /// Makes a pool.
    ///
    /// - Parameter limit: how long a job waits while no other ends.
    init(_ connections: [Guarded<LazyConnection>], limit: Duration) {
        self.connections = connections
        watch = SQLiteQueueWatch(limit: limit)
        state = Mutex(State(idle: Array(connections.indices)))
    }

    /// Runs a job on the next free connection; who is cancelled before it has one waits no longer.
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

    private func submit(_ job: Job) {
        let free: Int? = state.withLock { state in
            guard let index = state.idle.popLast() else {
                state.waiting.append(job)
                return nil
            }
            state.turns &+= 1
            return index
        }
        if let free { return queue.async { self.work(job, on: free) } }
        guard watch.mustStart() else { return }
        watch.start(
            { [weak self] in self?.report },
            { [weak self] count, report in self?.expire(count, since: report) })
    }

    private var report: SQLiteQueueWatch.Report {
        state.withLock { .init(turns: $0.turns, waiting: $0.waiting.count) }
    }

    /// Ends the waiting of those that have waited longest, unless a turn has begun since a report.
    private func expire(_ count: Int, since report: SQLiteQueueWatch.Report) {
        let jobs = state.withLock { state in
            state.turns == report.turns ? state.waiting.prefix(count) : []
        }
        let error = watch.expiry("a connection that reads: all \(connections.count) are in use")
        for job in jobs { job.giveUp(error) }
    }

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
