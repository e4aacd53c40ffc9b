#if THREAD_SANITIZER
    internal import RepositoryRuntime

    /// Replaces the standard `Mutex` in builds with the thread sanitizer.
    typealias Mutex<Value> = SanitizedMutex<Value>
#endif
