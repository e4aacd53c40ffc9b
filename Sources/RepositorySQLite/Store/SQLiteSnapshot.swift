internal import RepositoryRuntime
internal import RepositorySQLCore

/// A read-only view of the store as of one commit, for ``SQLiteStore/snapshot()``.
///
/// Committing or rolling back only closes its connection. Writes, transactions, resets and further
/// snapshots are not supported.
final class SQLiteSnapshot: SQLTransactionShell, SQLiteEntityStore {
    static let kind = "snapshot"
    /// The connection of the snapshot.
    let access: SQLiteSnapshotConnection
    let store: SQLiteStore

    init(_ store: SQLiteStore, _ access: SQLiteSnapshotConnection) {
        self.store = store
        self.access = access
    }

    var plans: EntityPlans { store.plans }

    func commit() async throws { await access.close() }
    func rollBack() async { await access.close() }
}
