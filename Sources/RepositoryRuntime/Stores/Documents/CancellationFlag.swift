internal import Synchronization

/// Whether the task that asked for a write was cancelled, for the thread that waits to begin it.
///
/// A write that was cancelled before it began does not happen and throws `CancellationError`; one
/// that has begun is finished.
public final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Makes a flag that is not set.
    public init() {}

    /// Whether the task was cancelled.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Sets the flag.
    public func cancel() { flag.store(true, ordering: .releasing) }

    /// Checks the flag.
    ///
    /// - Throws: `CancellationError` where it is set.
    public func check() throws { if isCancelled { throw CancellationError() } }
}
