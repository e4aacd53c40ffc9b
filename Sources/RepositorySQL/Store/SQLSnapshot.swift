internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The queries of a snapshot, on a connection of its own.
final class SnapshotAccess: SQLAccess {
    private let database: Database
    private let lane: Lane
    private let isOver = Atomic(false)

    private init(_ database: Database, _ lane: Lane) {
        self.database = database
        self.lane = lane
    }

    /// Opens a connection and begins to read the state that is committed now.
    static func begin(_ database: Database) async throws -> SnapshotAccess {
        try database.life.enter()
        let lane = database.separateLane()
        do {
            try await lane.run { session, _ in
                try session.execute(database.syntax.beginReading)
                // The first query decides which state is read.
                _ = try session.query("SELECT count(*) FROM \(SchemaTable.quoted)")
            }
            return SnapshotAccess(database, lane)
        } catch {
            await lane.close()
            database.life.leave()
            throw error
        }
    }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        if isOver.load(ordering: .acquiring) { throw CRUDRepositoryError.transactionEnded }
        return try await lane.run { session, _ in try body(session) }
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (RecordWrite) throws -> R,
        diagnose: @escaping @Sendable (Session, SQLDriverError) throws -> CRUDRepositoryError?
    ) async throws -> R {
        throw CRUDRepositoryError.unsupported("a write in a snapshot", by: database.name)
    }

    /// Closes the connection after the queries that run. A second call has no effect.
    func end() async {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await lane.close()
        database.life.leave()
    }

    /// Closes the connection later, if nobody has ended the snapshot.
    func abandon() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        lane.closeLater()
        database.life.leave()
    }
}

/// A snapshot: a transaction that reads one state of the database.
final class SQLSnapshot: StoreTransaction, SQLEntityStore {
    let access: SnapshotAccess
    private let store: SQLStore

    init(_ store: SQLStore, _ access: SnapshotAccess) {
        self.store = store
        self.access = access
    }

    deinit { access.abandon() }

    var name: String { store.name }
    var capabilities: StoreCapabilities { store.capabilities }
    var changes: StoreChanges { store.changes }
    var plans: TablePlans { store.plans }

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

    /// Ends the snapshot. There is nothing to commit.
    func commit() async throws { await access.end() }

    func rollBack() async { await access.end() }
}
