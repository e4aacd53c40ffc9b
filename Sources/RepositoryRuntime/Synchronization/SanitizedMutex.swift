#if THREAD_SANITIZER
    internal import Foundation

    /// Replaces the standard `Mutex` in Thread Sanitizer builds: the same interface over a
    /// `pthread_mutex_t`.
    ///
    /// On Linux the standard `Mutex` is a priority-inheriting futex. If a thread waits, the kernel
    /// transfers the lock within a system call. The sanitizer does not see this and reports
    /// accesses to the guarded value as races. It does intercept `pthread_mutex_lock`. No report is
    /// suppressed.
    ///
    /// `@unchecked Sendable`: the value is accessed only while the lock is held.
    package final class SanitizedMutex<Value>: @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// Creates a lock around a value.
        package init(_ initialValue: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
            value = .allocate(capacity: 1)
            value.initialize(to: initialValue)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        /// Acquires the lock and calls a closure with the value.
        package func withLock<R, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }

        /// Calls a closure with the value if the lock is free; returns nil otherwise.
        package func withLockIfAvailable<R, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R? {
            guard pthread_mutex_trylock(lock) == 0 else { return nil }
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }

    typealias Mutex<Value> = SanitizedMutex<Value>
#endif
