internal import Synchronization

/// Reports to a thread that waits for a lock whether the task of the write has been cancelled.
///
/// A write that is cancelled before it begins does not happen and throws `CancellationError`. A
/// write that has begun completes.
public final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Creates a flag that is not set.
    public init() {}

    /// Whether the task has been cancelled.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Sets the flag. It cannot be reset.
    public func cancel() { flag.store(true, ordering: .releasing) }

    /// Checks the flag.
    ///
    /// - Throws: `CancellationError` if the flag is set.
    public func check() throws { if isCancelled { throw CancellationError() } }
}
