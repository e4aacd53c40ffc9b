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

    private struct Waiting {
        var jobs: [any SQLiteJob] = []
        var isDraining = false
    }

    private let waiting = Mutex(Waiting())
    private let connection: Guarded<LazyConnection>
    private let queue = DispatchQueue(label: "RepositorySQLite.writer", qos: .userInitiated)

    init(_ connection: Guarded<LazyConnection>) {
        self.connection = connection
    }

    /// Runs a job in a transaction and returns when that is on disk.
    func run<R: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let job = SQLiteContinuedJob(isolation, body, continuation)
            let mustStart = waiting.withLock { waiting in
                waiting.jobs.append(job)
                defer { waiting.isDraining = true }
                return !waiting.isDraining
            }
            if mustStart { queue.async { self.drain() } }
        }
    }

    private func drain() {
        while let group = nextGroup() {
            connection.use { connection in
                do {
                    try SQLiteGroup(group, on: connection.open()).run()
                } catch {
                    for job in group { job.fail(error) }
                }
            }
            for job in group { job.finish() }
        }
    }

    private func nextGroup() -> [any SQLiteJob]? {
        waiting.withLock { waiting in
            guard let first = waiting.jobs.first else {
                waiting.isDraining = false
                return nil
            }
            let count =
                first.isolation == .bare
                ? 1
                : waiting.jobs.prefix(Self.groupLimit).prefix { $0.isolation != .bare }.count
            defer { waiting.jobs.removeFirst(count) }
            return Array(waiting.jobs.prefix(count))
        }
    }
}

/// A connection that is opened when it is first used.
final class LazyConnection {
    private let location: SQLiteLocation
    private let role: SQLiteConnection.Role
    private var opened: SQLiteConnection?

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
}
