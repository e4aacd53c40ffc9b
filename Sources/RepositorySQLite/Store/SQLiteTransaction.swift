internal import RepositoryRuntime
internal import Synchronization

/// A transaction on the writing connection, or a savepoint in another one.
final class SQLiteTransaction: StoreTransaction, SQLiteEntityStore {
    let access: SQLiteTransactionAccess
    private let store: SQLiteStore

    private init(_ store: SQLiteStore, _ access: SQLiteTransactionAccess) {
        self.store = store
        self.access = access
    }

    /// Begins a transaction of a store.
    convenience init(_ store: SQLiteStore) async throws {
        // What a table of somebody else's refers to is not known.
        let refers = store.plans.all.contains {
            $0.hasReferences || !$0.table.entity.isManaged
        }
        let lease = try await SQLiteErrors.mapped {
            try await store.database.lease(defersReferences: refers)
        }
        self.init(store, SQLiteTransactionAccess(lease, store.plans, store.changes))
    }

    deinit { access.abandon() }

    var name: String { store.name }
    var capabilities: StoreCapabilities { store.capabilities }
    var changes: StoreChanges { store.changes }
    var plans: EntityPlans { store.plans }

    func open(_ schema: StoreSchema) async throws { try store.requireOpened(schema) }

    func begin() async throws -> any StoreTransaction {
        try await SQLiteErrors.mapped {
            SQLiteTransaction(store, try await access.nested())
        }
    }

    func snapshot() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("a snapshot in a transaction", by: name)
    }

    func reset(_ schema: StoreSchema) async throws {
        throw CRUDRepositoryError.unsupported("a reset in a transaction", by: name)
    }

    func commit() async throws {
        try await SQLiteErrors.mapped { try await access.commit() }
    }

    func rollBack() async { await access.rollBack() }
}

extension CRUDRepositoryError {
    /// The transaction is over.
    static func transactionEnded() -> Self {
        Self(.transactionEnded, "The transaction is over: it was committed or rolled back.")
    }
}
