#if PostgreSQL
    internal import Foundation
    internal import Synchronization

    /// Identifies the changes of a store in the table of changes, so that its observers, whom the
    /// store tells itself, are not told again.
    final class PostgreSQLChangeSource: Sendable {
        private let state = Mutex(UUID())

        /// The id of the changes that are noted from now on.
        var id: UUID { state.withLock { $0 } }

        /// Takes another id. What is committed with an earlier one counts as the change of another
        /// store: nobody else would tell the observers of a write that is committed after its
        /// connection was lost.
        func renew() { state.withLock { $0 = UUID() } }
    }
#endif
