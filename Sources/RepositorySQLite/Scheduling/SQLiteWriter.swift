internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// The one connection that writes, on a thread of its own, with group commit: jobs that arrive
/// while a transaction commits share the next one. Each has its own result; one that fails takes
/// nothing of its neighbours with it.
final class SQLiteWriter: Sendable {
    /// What a job leaves behind when it throws, which decides what guards its neighbours.
    enum Isolation {
        /// Nothing: it changes data with one statement at most, its last.
        case statement
        /// What it had done so far: it gets a savepoint.
        case batch
        /// It begins and ends its transaction itself; it shares none.
        case bare
    }

    /// How many jobs may share a commit: enough to make the disk's part small, few enough that none
    /// waits long.
    private static let groupLimit = 512

    /// One turn on the connection.
    private enum Turn {
        case jobs([any SQLiteJob])
        case lease(SQLiteLease)
    }

    private struct Waiting {
        var jobs: [any SQLiteJob] = []
        /// The leases that wait, each with the number of jobs that came before it and are still
        /// waiting.
        var leases: [(lease: SQLiteLease, jobsBefore: Int)] = []
        var isDraining = false
    }

    private let waiting = Mutex(Waiting())
    private let connection: Guarded<LazyConnection>
    private let queue = DispatchQueue(label: "RepositorySQLite.writer", qos: .userInitiated)
    private let changes: StoreChanges?

    /// Makes a writer that tells of its commits.
    init(_ connection: Guarded<LazyConnection>, _ changes: StoreChanges?) {
        self.connection = connection
        self.changes = changes
    }

    /// Runs a job in a transaction and returns when that is on disk.
    func run<R: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let job = SQLiteContinuedJob(isolation, body, continuation)
            enqueue { $0.jobs.append(job) }
        }
    }

    /// Waits for the connection and begins a transaction on it; without a thread while it waits.
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

    private func enqueue(_ add: (inout Waiting) -> Void) {
        let mustStart = waiting.withLock { waiting in
            add(&waiting)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustStart { queue.async { self.drain() } }
    }

    private func drain() {
        while let turn = nextTurn() {
            switch turn {
            case .jobs(let group): run(group)
            case .lease(let lease):
                lease.work(on: connection, isObserved: changes?.areObserved ?? false)
            }
        }
    }

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

    private func nextTurn() -> Turn? {
        waiting.withLock { waiting in
            if let next = waiting.leases.first, next.jobsBefore == 0 {
                waiting.leases.removeFirst()
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

/// A connection that is opened when it is first used.
final class LazyConnection {
    private let location: SQLiteLocation
    private let role: SQLiteConnection.Role
    /// The connection, once it was used.
    private(set) var opened: SQLiteConnection?
    /// A database in memory has one connection: while a transaction is open on it, others read this
    /// copy of what was committed.
    private var committed: SQLiteConnection?

    init(_ location: SQLiteLocation, _ role: SQLiteConnection.Role) {
        self.location = location
        self.role = role
    }

    @inline(__always)
    func open() throws -> SQLiteConnection {
        if let opened { return opened }
        let new = try SQLiteConnection(location, role)
        opened = new
        return new
    }

    /// The connection on which everybody may read: it holds what was committed and no more.
    @inline(__always)
    func openForReading() throws -> SQLiteConnection {
        if let committed { return committed }
        return try open()
    }

    /// Begins a transaction that lasts longer than the present use of the connection.
    func beginTransaction(isObserved: Bool, defersReferences: Bool) throws {
        let connection = try open()
        if location.isInMemory { committed = try connection.copy() }
        do {
            // IMMEDIATE takes the write lock here, where waiting for it is possible.
            try connection.statement("BEGIN IMMEDIATE").run()
            try connection.watch?.check(connection)
            // References are looked at by the commit, as on every store. It makes SQLite prepare every
            // statement of the connection anew.
            if defersReferences {
                try connection.statement("PRAGMA defer_foreign_keys = ON").run()
            }
        } catch {
            endTransaction()
            throw error
        }
        connection.log = isObserved ? SQLiteChangeLog() : nil
    }

    /// Gives up what ``beginTransaction(isObserved:defersReferences:)`` has made for the time of the transaction.
    func endTransaction() {
        committed = nil
        guard let opened else { return }
        opened.log = nil
        // What is left of a transaction is what could not be ended; without a rollback the next
        // BEGIN says what is wrong.
        if opened.isInTransaction { try? opened.statement("ROLLBACK").run() }
    }
}
