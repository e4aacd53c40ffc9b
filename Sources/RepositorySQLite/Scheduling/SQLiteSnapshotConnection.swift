internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// A connection that stays at one state of the database, and reads off Swift's pool.
final class SQLiteSnapshotConnection: SQLiteAccess {
    /// Nil once the snapshot was given up.
    private let connection: Mutex<Guarded<SQLiteConnection>?>
    private let queue = DispatchQueue(label: "RepositorySQLite.snapshot", qos: .userInitiated)

    /// Takes over a connection and fixes the state that it reads.
    init(_ connection: sending SQLiteConnection) throws {
        try connection.execute("BEGIN")
        // The state is that of the first read, not that of BEGIN.
        _ = try SQLiteCatalog.hasRow("SELECT 1 FROM sqlite_schema", connection)
        self.connection = Mutex(Guarded(connection))
    }

    var defersReferences: Bool { false }

    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let interruption = SQLiteInterruption()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    let result = Result {
                        guard let connection = self.connection.withLock({ $0 }) else {
                            throw CRUDRepositoryError.transactionEnded()
                        }
                        return try connection.use { connection in
                            try interruption.run(on: connection) { try body(connection) }
                        }
                    }
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            interruption.cancel()
        }
    }

    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        throw CRUDRepositoryError.unsupported("writing in a snapshot", by: "SQLite")
    }

    /// Gives the state up, after what is being read.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                // Without its connection the transaction is over: closing rolls it back.
                self.connection.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }
}
