/// Shows the Thread Sanitizer that what one thread makes is ready before a task, resumed through a continuation, uses it.
///
/// Swift's runtime orders the two, but does not tell the sanitizer where the continuation is resumed before its task has
/// begun to wait. In a build for the sanitizer both sides pass here, through a lock; in any other one there is nothing.
package struct ResultHandover: Sendable {
    #if THREAD_SANITIZER
        private let lock = SanitizedMutex(())

        /// Makes one for a result.
        package init() {}

        /// Passed once the result is made, and again before it is used.
        package func pass() { lock.withLock { _ in } }
    #else
        /// Makes one for a result.
        @inline(__always)
        package init() {}

        /// Passed once the result is made, and again before it is used.
        @inline(__always)
        package func pass() {}
    #endif
}
