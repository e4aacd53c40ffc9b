internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The queries that were quick the last times. They run on the caller's thread, which saves two
/// changes of threads.
///
/// A query is known by its SQL, which contains no values. The first runs of a query, and all runs
/// of a slow one, are on a thread that may block. A quick query that exceeds its limits is aborted,
/// runs again on such a thread, and counts as slow until several runs were quick again.
///
/// Any thread may use it.
final class SQLiteQuickQueries: Sendable {
    /// The number of quick runs after which an unknown query is quick.
    private static let runs: Int8 = 2
    /// The number of further quick runs after which a slow query is quick.
    private static let penalty: Int8 = 14
    /// The number of queries that are remembered.
    private static let most = 512

    /// The longest time of a quick run, in nanoseconds: an application that draws or answers requests
    /// does not notice it. Tests change it, so that a busy machine makes no query slow.
    private let nanoseconds = Atomic(1_000_000)

    /// The longest time of a quick run.
    var time: Duration {
        get { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }
        set {
            let (seconds, attoseconds) = newValue.components
            nanoseconds.store(
                Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000), ordering: .relaxed)
        }
    }

    /// For each query, the number of quick runs, up to ``runs``; negative after a slow one.
    private let counts = Mutex<[StatementText: Int8]>([:])

    /// Whether a query was quick the last times.
    func contains(_ text: String) -> Bool {
        counts.withLock { $0[StatementText(text)] ?? 0 } >= Self.runs
    }

    /// The queries that were quick the last times, in no particular order.
    var quickTexts: [String] {
        counts.withLock { $0.filter { $0.value >= Self.runs }.map(\.key.text) }
    }

    /// Remembers how long a run of a query took.
    func record(_ text: String, wasQuick: Bool) {
        let key = StatementText(text)
        counts.withLock { counts in
            let count = counts[key] ?? 0
            if count == (wasQuick ? Self.runs : -Self.penalty) { return }
            if counts.count >= Self.most { counts = [:] }
            counts[key] = wasQuick ? min(count, Self.runs - 1) + 1 : -Self.penalty
        }
    }
}

/// The limits of a query that runs on the caller's thread.
///
/// The time includes the decoding of the rows. It limits what the number of instructions does not:
/// pages that are not in memory, and large values.
struct SQLiteQuickLimit {
    /// The number of virtual machine instructions, which take some tens of microseconds.
    private static let instructions: Int32 = 6_000
    /// The number of instructions between two looks at the clock. They read about 40 pages.
    private static let interval: Int32 = 200
    /// The longest time.
    private let time: Duration
    private let start = ContinuousClock.now
    private var checks: Int32 = 0

    private init(_ time: Duration) { self.time = time }

    /// Whether the time is over.
    private var isLate: Bool { start.duration(to: .now) > time }

    /// Counts a check, and returns whether a limit is exceeded.
    private mutating func isExceeded() -> Bool {
        checks += 1
        return checks > Self.instructions / Self.interval || isLate
    }

    /// Runs a query within the limits. It does not wait for locks.
    ///
    /// No transaction may be ended in it: that would be aborted, too.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - time: the longest time.
    ///   - body: runs the query.
    /// - Returns: the result; nil if the query was aborted, or would have waited.
    static func run<R>(
        on connection: SQLiteConnection, for time: Duration, _ body: () throws -> R
    ) throws -> R? {
        var limit = SQLiteQuickLimit(time)
        return try withUnsafeMutablePointer(to: &limit) { limit in
            sqlite3_progress_handler(
                connection.handle, interval,
                { context in
                    guard let limit = context?.assumingMemoryBound(to: SQLiteQuickLimit.self)
                    else { return 0 }
                    return limit.pointee.isExceeded() ? 1 : 0
                }, limit)
            defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
            do {
                return try connection.lockWait.run(isCancelled: { true }, body)
            } catch let error as SQLiteError
                where error.primaryCode == SQLITE_INTERRUPT || error.isRetryable
            {
                return nil
            }
        }
    }

    /// Runs a query without limits on a thread that may block.
    ///
    /// - Returns: the result, and whether the query stayed within the limits.
    static func measure<R>(
        _ statement: SQLiteStatement, for time: Duration, _ body: () throws -> R
    ) rethrows -> (R, wasQuick: Bool) {
        let limit = SQLiteQuickLimit(time)
        // The number belongs to all runs since it was read.
        _ = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)
        let result = try body()
        let count = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)
        return (result, count < instructions && !limit.isLate)
    }
}
