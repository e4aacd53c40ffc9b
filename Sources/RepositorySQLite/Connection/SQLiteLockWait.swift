internal import CSQLite
internal import Foundation

/// How a connection waits for the locks of other connections: for a limited time, and no longer
/// than somebody wants what it waits for. Used by one thread at a time, as its connection is.
final class SQLiteLockWait {
    /// The waits between two attempts, in milliseconds; the last is repeated. They are short
    /// because a task that is cancelled waits for the present one.
    private static let delays = [1, 2, 5, 10, 15, 20]

    /// Whether nobody wants the result any more.
    var isCancelled: () -> Bool = { false }
    private let limit: Duration
    private var deadline = ContinuousClock.now

    /// Makes one that gives up after some milliseconds.
    init(milliseconds: Int32) { limit = .milliseconds(Int(milliseconds)) }

    /// Lets SQLite call this one. The connection keeps it as long as it is open.
    func install(on connection: OpaquePointer) {
        sqlite3_busy_handler(
            connection,
            { context, attempt in
                guard let context else { return 0 }
                let own = Unmanaged<SQLiteLockWait>.fromOpaque(context).takeUnretainedValue()
                return own.wait(attempt: Int(attempt)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// When a wait that begins now is over.
    var nextDeadline: ContinuousClock.Instant { ContinuousClock.now + limit }

    private func wait(attempt: Int) -> Bool {
        if attempt == 0 { deadline = nextDeadline }
        return wait(attempt: attempt, until: deadline)
    }

    /// Waits before another attempt; false where there is to be none.
    ///
    /// - Parameter attempt: how often it has waited for the same lock.
    func wait(attempt: Int, until deadline: ContinuousClock.Instant) -> Bool {
        let now = ContinuousClock.now
        guard now < deadline, !isCancelled() else { return false }
        let delay = Duration.milliseconds(Self.delays[min(attempt, Self.delays.count - 1)])
        let (_, attoseconds) = min(delay, now.duration(to: deadline)).components
        Thread.sleep(forTimeInterval: Double(attoseconds) / 1e18)
        return true
    }

    /// Runs a body whose waiting ends when a test says so.
    func run<R>(isCancelled: @escaping () -> Bool, _ body: () throws -> R) rethrows -> R {
        let outer = self.isCancelled
        self.isCancelled = isCancelled
        defer { self.isCancelled = outer }
        return try body()
    }
}
