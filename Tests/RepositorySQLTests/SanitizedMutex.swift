#if THREAD_SANITIZER
    import RepositoryRuntime

    typealias Mutex<Value> = SanitizedMutex<Value>
#endif
