internal import RepositoryRuntime

/// A read-only view of the store as of one commit, for ``SQLiteStore/snapshot()``.
///
/// Committing or rolling back only closes its connection. Writes, transactions, resets and further
/// snapshots are not supported.
final class SQLiteSnapshot: StoreTransaction, SQLiteEntityStore {
    /// The connection of the snapshot.
    let access: SQLiteSnapshotConnection
    private let store: SQLiteStore

    init(_ store: SQLiteStore, _ access: SQLiteSnapshotConnection) {
        self.store = store
        self.access = access
    }

    var name: String { store.name }
    var capabilities: StoreCapabilities { store.capabilities }
    var changes: StoreChanges { store.changes }
    var plans: EntityPlans { store.plans }

    /// Throws `unsupported` unless the store has already opened the schema.
    func open(_ schema: StoreSchema) async throws { try store.requireOpened(schema) }

    func begin() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("a transaction in a snapshot", by: name)
    }

    func snapshot() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("a snapshot in a snapshot", by: name)
    }

    func reset(_ schema: StoreSchema) async throws {
        throw CRUDRepositoryError.unsupported("a reset in a snapshot", by: name)
    }

    func commit() async throws { await access.close() }
    func rollBack() async { await access.close() }
}
