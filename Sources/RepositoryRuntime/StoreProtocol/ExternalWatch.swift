/// How often an observed store is polled for writes by other processes.
///
/// A store is polled only while it has observers.
///
/// ```swift
/// store.changes.externalWatch = ExternalWatch(every: .milliseconds(50))
/// ```
public struct ExternalWatch: Sendable {
    /// The time between two polls: the longest delay until a write by another process is noticed.
    public let interval: Duration
    /// Sleeps on the clock, which is type-erased here.
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a configuration that polls at an interval measured by a clock.
    ///
    /// - Parameters:
    ///   - interval: the time between two polls. One poll costs about as much as a read by id.
    ///   - clock: the clock that measures the interval. Pass a manual clock in tests.
    public init<C: Clock>(every interval: Duration = .milliseconds(250), clock: C)
    where C.Duration == Duration {
        self.interval = interval
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Creates a configuration that polls at an interval measured by the continuous clock.
    public init(every interval: Duration = .milliseconds(250)) {
        self.init(every: interval, clock: .continuous)
    }

    /// Suspends until the next poll is due.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func pause() async throws { try await sleep(interval) }
}
