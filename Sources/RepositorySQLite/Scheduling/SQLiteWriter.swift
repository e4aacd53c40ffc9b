internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// The writing connection, on a thread of its own, with group commit.
///
/// Jobs that arrive while a transaction commits share the next transaction. Each job has its own
/// result, and a failed job does not affect the others in its group. Jobs and transactions run in
/// the order of their arrival.
final class SQLiteWriter: Sendable {
    /// What a job may leave behind when it throws. It determines how the other jobs of the group
    /// are protected.
    enum Isolation {
        /// Nothing: the job changes data with at most one statement, its last one.
        case statement
        /// Its changes so far: the job runs in a savepoint.
        case batch
        /// The job controls its own transaction and shares it with no other job.
        case bare
    }

    /// The maximum number of jobs per commit: enough to make the cost of the disk per job small,
    /// and few enough that no job waits long.
    private static let groupLimit = 512

    /// One turn on the connection.
    private enum Turn {
        case jobs([any SQLiteJob])
        case lease(SQLiteLease)
    }

    /// The queue of the writer.
    private struct Waiting {
        var jobs: [any SQLiteJob] = []
        /// The waiting leases, each with the number of waiting jobs that arrived before it.
        var leases: [(lease: SQLiteLease, jobsBefore: Int)] = []
        /// Whether a thread is processing the queue.
        var isDraining = false
        /// The number of turns that have begun, plus the operations of transactions.
        var turns: UInt64 = 0
        /// Whether the current turn is a transaction of a task.
        var isLeased = false
        /// Whether the store was closed.
        var isClosed = false
    }

    /// The queue. Its lock is held only to add or remove elements, never while a job runs.
    private let waiting = Mutex(Waiting())
    private let connection: Guarded<LazyConnection>
    /// A serial queue: the writer's thread.
    private let queue = DispatchQueue(label: "RepositorySQLite.writer", qos: .userInitiated)
    private let changes: StoreChanges?
    /// Ends the wait of jobs and leases when no turn ends within the limit.
    private let watch: SQLiteQueueWatch
    /// The time that a job or a transaction waits for its turn; `nil` for no limit.
    private let writerTimeout: Duration?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - connection: the writing connection, which is opened on first use.
    ///   - changes: receives the changes of each commit.
    ///   - location: the time limits.
    init(
        _ connection: Guarded<LazyConnection>, _ changes: StoreChanges?, _ location: SQLiteLocation
    ) {
        self.connection = connection
        self.changes = changes
        writerTimeout = location.writerTimeout
        watch = SQLiteQueueWatch(limit: location.turnLimit)
    }

    /// Runs a job in a transaction, and returns when its changes are synced to disk.
    ///
    /// If the task is cancelled before the job begins, the job does not run.
    ///
    /// - Throws: `CancellationError`; `storeClosed`; a retryable error if the job has waited too
    ///   long.
    func run<R: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let job = SQLiteContinuedJob(isolation, body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard job.keep(continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                guard enqueue({ $0.jobs.append(job) }) else {
                    return job.giveUp(CRUDRepositoryError.storeClosed)
                }
                guard let limit = writerTimeout else { return }
                limit.later { [weak job] in job?.giveUp(CRUDRepositoryError.waited(limit)) }
            }
        } onCancel: {
            job.cancel()
        }
    }

    /// Waits for the connection and begins a transaction on it. The wait does not block a thread.
    ///
    /// - Parameter defersReferences: whether references are checked by the commit.
    /// - Throws: `CancellationError`; `storeClosed`; a retryable error if the transaction has waited
    ///   too long.
    func lease(defersReferences: Bool) async throws -> SQLiteLease {
        let lease = SQLiteLease(defersReferences: defersReferences)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard lease.keep(continuation) else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                guard enqueue({ $0.leases.append((lease, $0.jobs.count)) }) else {
                    return lease.giveUp(CRUDRepositoryError.storeClosed)
                }
                guard let limit = writerTimeout else { return }
                limit.later { [weak lease] in lease?.giveUp(CRUDRepositoryError.waited(limit)) }
            }
        } onCancel: {
            lease.cancel()
        }
        return lease
    }

    /// Adds to the queue and makes sure that it is being processed and watched.
    ///
    /// - Returns: `false` if the store was closed. Nothing was added then.
    private func enqueue(_ add: (inout Waiting) -> Void) -> Bool {
        let (isOpen, mustStart) = waiting.withLock { waiting in
            if waiting.isClosed { return (false, false) }
            add(&waiting)
            defer { waiting.isDraining = true }
            return (true, !waiting.isDraining)
        }
        if mustStart { queue.async { self.drain() } }
        guard isOpen, !mustStart, watch.mustStart() else { return isOpen }
        watch.start(
            { [weak self] in self?.report },
            { [weak self] count, report in self?.expire(count, since: report) })
        return true
    }

    /// Ends the waits of all jobs and transactions that have not begun, and of all later ones.
    func refuse() {
        let (jobs, leases) = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { (waiting.jobs, waiting.leases) = ([], []) }
            return (waiting.jobs, waiting.leases.map(\.lease))
        }
        for job in jobs { job.giveUp(CRUDRepositoryError.storeClosed) }
        for lease in leases { lease.giveUp(CRUDRepositoryError.storeClosed) }
    }

    /// Closes the connection after the current turn. ``refuse()`` was called before.
    func close() async {
        await withCheckedContinuation { continuation in
            // The queue is serial: a block that processes the queue ends first.
            queue.async {
                self.connection.use { $0.close() }
                continuation.resume()
            }
        }
    }

    /// The state of the queue, for the watch.
    private var report: SQLiteQueueWatch.Report {
        waiting.withLock { .init(turns: $0.turns, waiting: $0.jobs.count + $0.leases.count) }
    }

    /// Ends the wait of the first jobs and leases in the queue, unless a turn has begun since the
    /// report.
    private func expire(_ count: Int, since report: SQLiteQueueWatch.Report) {
        let (jobs, leases, isLeased) = waiting.withLock { waiting in
            var (jobs, leases) = (0, 0)
            let count = waiting.turns == report.turns ? count : 0
            // In the order of arrival.
            while jobs + leases < count {
                if leases < waiting.leases.count, waiting.leases[leases].jobsBefore <= jobs {
                    leases += 1
                } else if jobs < waiting.jobs.count {
                    jobs += 1
                } else {
                    break
                }
            }
            // New arrays, made under the lock: an array of all jobs could share the buffer that
            // other threads go on changing.
            return (
                waiting.jobs.prefix(jobs).map { $0 }, waiting.leases.prefix(leases).map(\.lease),
                waiting.isLeased
            )
        }
        let error = watch.expiry(
            isLeased
                ? "a transaction of the same store that has not ended"
                : "a write of the same store that has not ended")
        for job in jobs { job.giveUp(error) }
        for lease in leases { lease.giveUp(error) }
    }

    /// Processes the queue until it is empty, on the writer's dispatch queue.
    private func drain() {
        while let turn = nextTurn() {
            switch turn {
            case .jobs(let group): run(group)
            case .lease(let lease):
                lease.work(on: connection, isObserved: changes?.hasObservers ?? false) {
                    // A transaction that does something keeps those that wait from giving up.
                    waiting.withLock { $0.turns &+= 1 }
                }
            }
        }
    }

    /// Runs a group of jobs and then resumes their tasks, without holding the connection's lock.
    private func run(_ group: [any SQLiteJob]) {
        connection.use { connection in
            do {
                try SQLiteGroup(group, on: connection.open(), changes).run()
            } catch {
                for job in group { job.fail(error) }
            }
        }
        for job in group { job.finish() }
    }

    /// Removes the next turn from the queue; `nil` if the queue is empty.
    ///
    /// A turn is the first lease if no job arrived before it, and otherwise as many of the first
    /// jobs as may share a transaction.
    private func nextTurn() -> Turn? {
        waiting.withLock { waiting in
            waiting.turns &+= 1
            waiting.isLeased = false
            if let next = waiting.leases.first, next.jobsBefore == 0 {
                waiting.leases.removeFirst()
                waiting.isLeased = true
                return .lease(next.lease)
            }
            guard let first = waiting.jobs.first else {
                waiting.isDraining = false
                return nil
            }
            let limit = min(Self.groupLimit, waiting.leases.first?.jobsBefore ?? .max)
            let count =
                first.isolation == .bare
                ? 1 : waiting.jobs.prefix(limit).prefix { $0.isolation != .bare }.count
            defer {
                waiting.jobs.removeFirst(count)
                for index in waiting.leases.indices { waiting.leases[index].jobsBefore -= count }
            }
            return .jobs(Array(waiting.jobs.prefix(count)))
        }
    }
}
