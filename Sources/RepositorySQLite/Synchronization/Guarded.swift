internal import Foundation

/// A value that one thread at a time may use.
///
/// It is the lock of every connection: the value need not be `Sendable`, and callers block while
/// another thread holds the lock. The lock is not recursive.
///
/// The conformance to `Sendable` is unchecked. It is valid because the value is accessed only while
/// the lock is held, and because callers let nothing that is not `Sendable` escape from the
/// closure. The standard `Mutex` does not support this for a class that is not `Sendable` itself.
/// Its `withLockIfAvailable` also returns an optional, which costs a type metadata lookup for every
/// read of a record.
final class Guarded<Value>: @unchecked Sendable {
    /// Not a `Mutex`: see the type's documentation.
    private let lock = NSLock()
    private let value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    /// Waits for the lock, runs `body` with the value, and releases the lock.
    @inline(__always)
    func use<R>(_ body: (Value) throws -> R) rethrows -> R {
        take()
        return try useTaken(body)
    }

    /// Waits for the lock. The caller must call ``useTaken(_:)`` afterwards, which releases it.
    func take() { lock.lock() }

    /// Acquires the lock if no other thread holds it, without waiting.
    ///
    /// - Returns: whether the lock was acquired. If so, the caller must call ``useTaken(_:)``.
    func takeIfFree() -> Bool { lock.try() }

    /// Runs `body` with the value, and releases the lock that ``take()`` or ``takeIfFree()``
    /// acquired.
    @inline(__always)
    func useTaken<R>(_ body: (Value) throws -> R) rethrows -> R {
        defer { lock.unlock() }
        return try body(value)
    }
}
