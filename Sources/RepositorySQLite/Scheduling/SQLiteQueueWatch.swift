internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// Detects that a queue makes no progress: that no turn has ended for as long as its tasks may
/// wait.
///
/// The queue is sampled several times within the limit, and only while tasks wait, so that waiting
/// requires no timer per task. Tasks behind many short turns wait as long as necessary, because
/// each of those turns ends.
final class SQLiteQueueWatch: Sendable {
    /// The state of a queue at one time.
    struct Report {
        /// The number of turns that have begun so far.
        var turns: UInt64
        /// The number of tasks that wait for a turn.
        var waiting: Int
    }

    /// The number of turns at the last sample, and all samples since that number was reached.
    private struct State {
        var turns: UInt64 = 0
        var reports: [(time: ContinuousClock.Instant, waiting: Int)] = []
    }

    /// The time that a task waits without progress of the queue.
    let limit: Duration
    /// Whether samples are being taken. Set by the first waiting task, and reset by a sample that
    /// finds none.
    private let isWatching = Atomic(false)
    private let state = Mutex(State())

    init(limit: Duration) { self.limit = limit }

    /// Returns whether the caller must call ``start(_:_:)``. It is called whenever a task begins to
    /// wait.
    func mustStart() -> Bool {
        // Called for each waiting task: a load without a write suffices while the queue is being
        // watched.
        if isWatching.load(ordering: .acquiring) { return false }
        return !isWatching.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Takes a sample, and schedules the next one until no task waits.
    ///
    /// - Parameters:
    ///   - report: returns the state of the queue; `nil` if the queue no longer exists.
    ///   - expire: ends the wait of the given number of tasks at the head of the queue, unless a
    ///     turn has begun since the given report.
    func start(
        _ report: @escaping @Sendable () -> Report?,
        _ expire: @escaping @Sendable (Int, Report) -> Void
    ) {
        guard var present = report() else { return }
        if present.waiting == 0 {
            state.withLock { $0 = State() }
            isWatching.store(false, ordering: .sequentiallyConsistent)
            // A task may have begun to wait just before the flag was reset.
            guard let next = report(), next.waiting > 0, mustStart() else { return }
            present = next
        }
        let now = ContinuousClock.now
        let (limit, found) = (self.limit, present)
        let count = state.withLock { state in
            if state.turns != found.turns { state.reports = [] }
            state.turns = found.turns
            // As long as no turn begins, tasks are only appended to the queue.
            let expired = state.reports.last { $0.time.duration(to: now) >= limit }?.waiting ?? 0
            state.reports.append((now, found.waiting))
            return expired
        }
        if count > 0 { expire(count, present) }
        let interval = max(Self.seconds(limit) / 8, 0.001)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.start(report, expire)
        }
    }

    /// Returns a duration in seconds.
    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Returns the error of a task that has waited too long.
    ///
    /// - Parameter holder: what the task waited for, for the message.
    func expiry(_ holder: String) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .databaseError,
            "The operation waited longer than \(Self.seconds(limit)) seconds for \(holder); nothing was changed.",
            isRetryable: true)
    }
}
