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
final class SQLSnapshot: SQLTransactionShell, SQLEntityStore {
    static let kind = "snapshot"
    let access: SnapshotAccess
    let store: SQLStore

    init(_ store: SQLStore, _ access: SnapshotAccess) {
        self.store = store
        self.access = access
    }

    deinit { access.abandon() }

    var plans: TablePlans { store.plans }

    /// Ends the snapshot. There is nothing to commit.
    func commit() async throws { await access.end() }

    func rollBack() async { await access.end() }
}
