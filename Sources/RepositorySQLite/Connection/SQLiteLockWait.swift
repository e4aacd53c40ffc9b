internal import CSQLite
internal import Foundation

/// The busy handler of a connection: waits for locks of other connections, for a limited time or
/// until the operation is cancelled.
///
/// Only one thread at a time may use it, as with its connection.
final class SQLiteLockWait {
    /// The delays between two attempts in milliseconds; the last one is repeated. They are short,
    /// because a cancelled task waits until the current delay has passed.
    private static let delays = [1, 2, 5, 10, 15, 20]

    /// Returns whether the operation that waits was cancelled.
    var isCancelled: () -> Bool = { false }
    /// The time that a wait may take in total.
    private let limit: Duration
    /// The time at which the wait that SQLite began last gives up.
    private var deadline = ContinuousClock.now

    /// Creates a handler that gives up after a number of milliseconds.
    init(milliseconds: Int32) { limit = .milliseconds(Int(milliseconds)) }

    /// Installs the busy handler. The connection must retain this object as long as it is open.
    func install(on connection: OpaquePointer) {
        sqlite3_busy_handler(
            connection,
            { context, attempt in
                guard let context else { return 0 }
                let own = Unmanaged<SQLiteLockWait>.fromOpaque(context).takeUnretainedValue()
                return own.wait(attempt: Int(attempt)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The time at which a wait that begins now gives up.
    var nextDeadline: ContinuousClock.Instant { ContinuousClock.now + limit }

    /// Waits before SQLite's next attempt. Attempt 0 begins a new wait.
    private func wait(attempt: Int) -> Bool {
        if attempt == 0 { deadline = nextDeadline }
        return wait(attempt: attempt, until: deadline)
    }

    /// Blocks the thread before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: the number of earlier waits for the same lock.
    ///   - deadline: the time at which the wait gives up.
    /// - Returns: `false` if the deadline has passed or the operation was cancelled.
    func wait(attempt: Int, until deadline: ContinuousClock.Instant) -> Bool {
        let now = ContinuousClock.now
        guard now < deadline, !isCancelled() else { return false }
        let delay = Duration.milliseconds(Self.delays[min(attempt, Self.delays.count - 1)])
        let (_, attoseconds) = min(delay, now.duration(to: deadline)).components
        Thread.sleep(forTimeInterval: Double(attoseconds) / 1e18)
        return true
    }

    /// Runs `body`, during which waits end when `isCancelled` returns `true`.
    func run<R>(isCancelled: @escaping () -> Bool, _ body: () throws -> R) rethrows -> R {
        let outer = self.isCancelled
        self.isCancelled = isCancelled
        defer { self.isCancelled = outer }
        return try body()
    }
}
