#if THREAD_SANITIZER
    internal import RepositoryRuntime

    typealias Mutex<Value> = SanitizedMutex<Value>
#endif
