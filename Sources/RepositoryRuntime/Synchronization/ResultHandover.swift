/// Shows the Thread Sanitizer that a result written by one thread is visible to a task that is
/// resumed through a continuation.
///
/// The Swift runtime orders both accesses, but does not report this to the sanitizer if the
/// continuation is resumed before its task suspends. In sanitizer builds, both sides acquire a lock
/// here. In other builds this type does nothing.
package struct ResultHandover: Sendable {
    #if THREAD_SANITIZER
        private let lock = SanitizedMutex(())

        /// Creates a handover for one result.
        package init() {}

        /// Called by the writer after it has written the result, and by the reader before it uses
        /// it.
        package func pass() { lock.withLock { _ in } }
    #else
        /// Creates a handover for one result.
        @inline(__always)
        package init() {}

        /// Called by the writer after it has written the result, and by the reader before it uses
        /// it.
        @inline(__always)
        package func pass() {}
    #endif
}
