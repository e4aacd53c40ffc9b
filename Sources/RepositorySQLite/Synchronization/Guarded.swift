internal import Foundation

/// A value that one thread at a time may use.
///
/// Unchecked: the value is reached only while the lock is held, and nothing that is not `Sendable`
/// leaves it. The standard `Mutex` cannot say so of a class that is not `Sendable` itself, and
/// answers a try with an optional, whose type is looked up for every read of a record.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private let value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    /// Waits for the value and uses it.
    @inline(__always)
    func use<R>(_ body: (Value) throws -> R) rethrows -> R {
        take()
        return try useTaken(body)
    }

    /// Waits for the value, which ``useTaken(_:)`` is then to be called for.
    func take() { lock.lock() }

    /// Does the same unless somebody else uses the value; answers whether it was free.
    func takeIfFree() -> Bool { lock.try() }

    /// Uses the value that was taken, and gives it back.
    @inline(__always)
    func useTaken<R>(_ body: (Value) throws -> R) rethrows -> R {
        defer { lock.unlock() }
        return try body(value)
    }
}
