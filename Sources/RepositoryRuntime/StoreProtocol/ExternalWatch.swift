/// How the observers of a store learn of what other processes write: the store is asked at an interval whether anything
/// was, for as long as somebody observes.
///
/// ```swift
/// store.changes.externalWatch = ExternalWatch(every: .milliseconds(50))
/// ```
public struct ExternalWatch: Sendable {
    /// How long it takes at most until a write by another process is noticed.
    public let interval: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Asks a store at an interval.
    ///
    /// - Parameters:
    ///   - interval: the time between two questions, each of which costs a store about as much as a read by id.
    ///   - clock: what measures it; a clock that a test moves makes the test deterministic.
    public init<C: Clock>(every interval: Duration = .milliseconds(250), clock: C)
    where C.Duration == Duration {
        self.interval = interval
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Asks a store at an interval of real time.
    public init(every interval: Duration = .milliseconds(250)) {
        self.init(every: interval, clock: .continuous)
    }

    /// Returns when it is time to ask again.
    ///
    /// - Throws: `CancellationError`.
    func pause() async throws { try await sleep(interval) }
}
