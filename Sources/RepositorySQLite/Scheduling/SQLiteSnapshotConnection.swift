internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// A connection that reads a snapshot of the database, on a dispatch queue of its own.
final class SQLiteSnapshotConnection: SQLiteAccess {
    /// The connection; `nil` after ``close()``.
    private let connection: Mutex<Guarded<SQLiteConnection>?>
    /// Runs the reads one at a time, in the order of their submission.
    private let queue = DispatchQueue(label: "RepositorySQLite.snapshot", qos: .userInitiated)

    /// Takes ownership of a connection and begins the read transaction of the snapshot.
    init(_ connection: sending SQLiteConnection) throws {
        try connection.execute("BEGIN")
        // The snapshot begins with the first read, not with BEGIN.
        _ = try SQLiteCatalog.hasRow("SELECT 1 FROM sqlite_schema", connection)
        self.connection = Mutex(Guarded(connection))
    }

    var defersReferences: Bool { false }

    /// Reads on the connection's queue, after the reads that were submitted before.
    ///
    /// - Throws: `transactionEnded` after ``close()``; `CancellationError`.
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

    /// Throws `unsupported`: a snapshot is read-only.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        throw CRUDRepositoryError.unsupported("writing in a snapshot", by: "SQLite")
    }

    /// Ends the snapshot after the reads that were submitted before.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                // Closing the connection rolls back its transaction.
                self.connection.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }
}
