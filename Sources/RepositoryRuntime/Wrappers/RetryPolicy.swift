/// When and how often a ``RetryingStore`` repeats an operation.
///
/// The delays grow from ``firstDelay``, each twice as long as the one before, up to
/// ``longestDelay``. Each is shortened by a random part of up to a half, so that programs that
/// failed together do not repeat together ("equal jitter").
public struct RetryPolicy: Sendable, Hashable {
    /// How often an operation is tried, with the first time; at least 1.
    public var attempts: Int
    /// The time before the second attempt.
    public var firstDelay: Duration
    /// The longest time between two attempts.
    public var longestDelay: Duration
    /// The sum of all delays after which an operation is not repeated.
    public var longestWait: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: how often an operation is tried, with the first time; at least 1.
    ///   - firstDelay: the time before the second attempt.
    ///   - longestDelay: the longest time between two attempts.
    ///   - longestWait: the sum of all delays after which an operation is not repeated.
    public init(
        attempts: Int = 5, firstDelay: Duration = .milliseconds(20),
        longestDelay: Duration = .seconds(1), longestWait: Duration = .seconds(10)
    ) {
        self.attempts = max(1, attempts)
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestWait = longestWait
    }

    /// Returns the delays between the attempts.
    ///
    /// - Parameter random: a number of at least 0 and less than 1.
    func delays(_ random: () -> Double) -> [Duration] {
        var (delay, waited, delays) = (min(firstDelay, longestDelay), Duration.zero, [Duration]())
        for _ in 1..<max(1, attempts) {
            let next = delay * (1 - random() / 2)
            waited += next
            guard waited <= longestWait else { break }
            delays.append(next)
            delay = min(delay * 2, longestDelay)
        }
        return delays
    }
}
