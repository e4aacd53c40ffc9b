internal import Synchronization

/// A value that one thread at a time may use.
///
/// Unchecked: the value is reached only inside the lock, and nothing that is not `Sendable` leaves
/// it. The standard `Mutex` cannot say so of a class that is not `Sendable` itself.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = Mutex(())
    private let value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    /// Waits for the value and uses it.
    @inline(__always)
    func use<R>(_ body: (Value) throws -> R) rethrows -> R {
        try lock.withLock { _ in try body(value) }
    }

    /// Uses the value unless somebody else does.
    @inline(__always)
    func useIfFree<R>(_ body: (Value) throws -> R) rethrows -> R? {
        try lock.withLockIfAvailable { _ in try body(value) }
    }
}
