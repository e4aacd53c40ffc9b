internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// A transaction on the writing connection, or a nested transaction (a savepoint).
///
/// A transaction that is released without having been ended is rolled back.
///
/// Schemas must be opened before it begins. Snapshots and resets are not supported inside it.
final class SQLiteTransaction: SQLTransactionShell, SQLiteEntityStore {
    static let kind = "transaction"
    /// The operations of the transaction on the leased connection.
    let access: SQLiteTransactionAccess
    let store: SQLiteStore

    private init(_ store: SQLiteStore, _ access: SQLiteTransactionAccess) {
        self.store = store
        self.access = access
    }

    /// Begins a top-level transaction, after waiting for the writing connection.
    convenience init(_ store: SQLiteStore) async throws {
        // The foreign keys of an unmanaged table are not known.
        let refers = store.plans.all.contains {
            $0.hasReferences || !$0.table.entity.isManaged
        }
        let lease = try await SQLiteErrors.mapped {
            try await store.database.lease(defersReferences: refers)
        }
        self.init(store, SQLiteTransactionAccess(lease, store.plans, store.changes))
    }

    deinit { access.abandon() }

    var plans: EntityPlans { store.plans }

    /// Begins a nested transaction. Until it ends, this transaction must not be used.
    func begin() async throws -> any StoreTransaction {
        try await SQLiteErrors.mapped {
            SQLiteTransaction(store, try await access.nested())
        }
    }

    func commit() async throws {
        try await SQLiteErrors.mapped { try await access.commit() }
    }

    func rollBack() async { await access.rollBack() }
}
