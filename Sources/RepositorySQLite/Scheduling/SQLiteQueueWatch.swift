internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// Notices that a queue makes no progress: that no turn on it has ended for as long as its tasks
/// may wait.
///
/// A queue reports its state a few times within the limit, and only while somebody waits, so that
/// waiting costs no look at a clock. What waits behind many short turns waits as long as it takes:
/// each of them ends.
final class SQLiteQueueWatch: Sendable {
    /// What a queue reports of itself.
    struct Report {
        /// How many turns have begun so far.
        var turns: UInt64
        /// How many tasks wait for a turn.
        var waiting: Int
    }

    /// The number of turns at the time of the reports, and the reports since it has been the same.
    private struct State {
        var turns: UInt64 = 0
        var reports: [(time: ContinuousClock.Instant, waiting: Int)] = []
    }

    /// How long a task waits.
    let limit: Duration
    private let isWatching = Atomic(false)
    private let state = Mutex(State())

    init(limit: Duration) { self.limit = limit }

    /// Whether the queue is to be watched from now on; asked when a task begins to wait.
    func mustStart() -> Bool {
        // Asked for each task that waits: without writing, where it is watched.
        if isWatching.load(ordering: .acquiring) { return false }
        return !isWatching.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Watches the queue until nobody waits.
    ///
    /// - Parameters:
    ///   - report: the state of the queue; nil where it is gone.
    ///   - expire: ends the waiting of the first tasks of the queue, of which the number is given,
    ///     unless a turn has begun since a report.
    func start(
        _ report: @escaping @Sendable () -> Report?,
        _ expire: @escaping @Sendable (Int, Report) -> Void
    ) {
        guard var present = report() else { return }
        if present.waiting == 0 {
            state.withLock { $0 = State() }
            isWatching.store(false, ordering: .sequentiallyConsistent)
            // A task may have begun to wait just before.
            guard let next = report(), next.waiting > 0, mustStart() else { return }
            present = next
        }
        let now = ContinuousClock.now
        let (limit, found) = (self.limit, present)
        let count = state.withLock { state in
            if state.turns != found.turns { state.reports = [] }
            state.turns = found.turns
            // As long as no turn begins, tasks are only added, at the end.
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

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The error of a task that has waited too long.
    ///
    /// - Parameter holder: what it waited for.
    func expiry(_ holder: String) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .databaseError,
            "The operation waited longer than \(Self.seconds(limit)) seconds for \(holder); nothing was changed.",
            isRetryable: true)
    }
}
