#if PostgreSQL
    internal import RepositoryRuntime
    internal import Synchronization

    /// Lets one task at a time do what all of them wait for, in the order of arrival. A cancelled
    /// task leaves.
    ///
    /// What has failed for one task fails for those that have waited meanwhile: otherwise each of
    /// them would wait as long for the same, one after the other.
    final class JointTurn: Sendable {
        private struct Failures {
            var count = 0
            /// The last one; `nil` if there was a success since.
            var last: (any Error)?
        }
        private let line = WriterLine()
        private let failures = Mutex(Failures())

        /// Runs `body` when all bodies before it have ended.
        ///
        /// - Throws: what `body` throws, or has thrown for another task meanwhile;
        ///   `CancellationError`.
        func take<R>(_ body: () async throws -> R) async throws -> R {
            let before = failures.withLock(\.count)
            try await line.take()
            defer { line.leave() }
            if let error = failures.withLock({ $0.count > before ? $0.last : nil }) { throw error }
            do {
                let result = try await body()
                failures.withLock { $0.last = nil }
                return result
            } catch {
                // A cancellation concerns one task. It may be reported by another error.
                if !Task.isCancelled {
                    failures.withLock { $0 = Failures(count: $0.count + 1, last: error) }
                }
                throw error
            }
        }
    }
#endif
