#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// Runs what may block on a thread of its own, so that no task blocks a thread of the
    /// cooperative pool.
    enum OwnThread {
        /// Waits for the result of a function that runs on a new thread.
        ///
        /// - Parameters:
        ///   - name: the name of the thread.
        ///   - body: the function.
        /// - Throws: what `body` throws.
        static func run<R: Sendable>(
            _ name: String, _ body: @escaping @Sendable () throws -> R
        ) async throws -> R {
            let handover = ResultHandover()
            defer { handover.pass() }
            return try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    let result = Result { try body() }
                    handover.pass()
                    continuation.resume(with: result)
                }
                thread.name = name
                thread.start()
            }
        }
    }
#endif
