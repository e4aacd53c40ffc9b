#if THREAD_SANITIZER
    internal import Foundation

    /// The standard `Mutex` in builds for the Thread Sanitizer: the same interface over a `pthread_mutex_t`.
    ///
    /// On Linux the standard one is a futex that the kernel hands on: when somebody waits, the unlock is no atomic
    /// operation of the program but a system call, which the sanitizer does not see, so that it reports whatever the lock
    /// guards as a race. It does see `pthread_mutex_lock`. Nothing else differs, and no report of a lock is suppressed.
    ///
    /// Unchecked: the value is reached only while the lock is held.
    package final class SanitizedMutex<Value>: @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// Makes a lock around a value.
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

        /// Waits for the lock and uses the value.
        package func withLock<R, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }

        /// Uses the value unless somebody else does; then it is nil.
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
