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
    }

    /// The queue. Its lock is held only to add or remove elements, never while a job runs.
    private let waiting = Mutex(Waiting())
    private let connection: Guarded<LazyConnection>
    /// A serial queue: the writer's thread.
    private let queue = DispatchQueue(label: "RepositorySQLite.writer", qos: .userInitiated)
    private let changes: StoreChanges?
    /// Ends the wait of jobs and leases when no turn ends within the limit.
    private let watch: SQLiteQueueWatch

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - connection: the writing connection, which is opened on first use.
    ///   - changes: receives the changes of each commit.
    ///   - limit: the time that a job or a transaction waits for a single turn of another one.
    init(_ connection: Guarded<LazyConnection>, _ changes: StoreChanges?, limit: Duration) {
        self.connection = connection
        self.changes = changes
        watch = SQLiteQueueWatch(limit: limit)
    }

    /// Runs a job in a transaction, and returns when its changes are synced to disk.
    ///
    /// If the task is cancelled before the job begins, the job does not run.
    ///
    /// - Throws: `CancellationError`; a retryable error if the job has waited too long.
    func run<R: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let job = SQLiteContinuedJob(isolation, body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard job.keep(continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                enqueue { $0.jobs.append(job) }
            }
        } onCancel: {
            job.cancel()
        }
    }

    /// Waits for the connection and begins a transaction on it. The wait does not block a thread.
    ///
    /// - Parameter defersReferences: whether references are checked by the commit.
    /// - Throws: `CancellationError`; a retryable error if the transaction has waited too long.
    func lease(defersReferences: Bool) async throws -> SQLiteLease {
        let lease = SQLiteLease(defersReferences: defersReferences)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard lease.keep(continuation) else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                enqueue { $0.leases.append((lease, $0.jobs.count)) }
            }
        } onCancel: {
            lease.cancel()
        }
        return lease
    }

    /// Adds to the queue and makes sure that it is being processed and watched.
    private func enqueue(_ add: (inout Waiting) -> Void) {
        let mustStart = waiting.withLock { waiting in
            add(&waiting)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustStart { return queue.async { self.drain() } }
        guard watch.mustStart() else { return }
        watch.start(
            { [weak self] in self?.report },
            { [weak self] count, report in self?.expire(count, since: report) })
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

/// A connection that is opened when it is first used. ``Guarded`` protects it.
final class LazyConnection {
    private let location: SQLiteLocation
    private let role: SQLiteConnection.Role
    /// The connection, once it was opened.
    private(set) var opened: SQLiteConnection?
    /// A copy of the committed content of a database in memory, which serves reads while a
    /// transaction is open on its only connection.
    private var committed: SQLiteConnection?

    init(_ location: SQLiteLocation, _ role: SQLiteConnection.Role) {
        self.location = location
        self.role = role
    }

    /// Returns the connection, which is opened on first use.
    ///
    /// - Throws: `storeMoved` if the database's files were removed or replaced.
    @inline(__always)
    func open() throws -> SQLiteConnection {
        try location.file?.check()
        if let opened { return opened }
        do {
            let new = try SQLiteConnection(location, role)
            opened = new
            return new
        } catch let error as SQLiteError {
            throw location.file?.explanation(of: error) ?? error
        }
    }

    /// Returns the connection for reads. It contains only committed changes.
    @inline(__always)
    func openForReading() throws -> SQLiteConnection {
        if let committed { return committed }
        return try open()
    }

    /// Begins a transaction that spans several uses of the connection.
    func beginTransaction(isObserved: Bool, defersReferences: Bool) throws {
        let connection = try open()
        if location.isInMemory { committed = try connection.copy() }
        do {
            // IMMEDIATE acquires the write lock here, where waiting is possible.
            try connection.beginImmediate()
            try connection.watch?.check(connection)
            // The commit checks references, as in every store. This pragma makes SQLite prepare all
            // statements of the connection again.
            if defersReferences {
                try connection.statement("PRAGMA defer_foreign_keys = ON").run()
            }
        } catch {
            endTransaction()
            throw error
        }
        connection.log = isObserved ? SQLiteChangeLog() : nil
    }

    /// Releases the state of ``beginTransaction(isObserved:defersReferences:)``, and rolls back a
    /// transaction that is still open.
    func endTransaction() {
        committed = nil
        guard let opened else { return }
        opened.log = nil
        // A transaction is still open here only if it could not be ended. If the rollback fails,
        // the next BEGIN reports the cause.
        if opened.isInTransaction { try? opened.statement("ROLLBACK").run() }
    }
}
