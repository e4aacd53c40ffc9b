internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// A connection that reads a snapshot of the database, on a dispatch queue of its own.
final class SQLiteSnapshotConnection: SQLiteAccess {
    /// The connection; `nil` after ``close()``.
    private let connection: Mutex<Guarded<SQLiteConnection>?>
    /// Runs the reads one at a time, in the order of their submission.
    private let queue = DispatchQueue(label: "RepositorySQLite.snapshot", qos: .userInitiated)
    /// The life of the store, which counts the snapshot until it ends.
    private let life: StoreLife

    /// Takes ownership of a connection and begins the read transaction of the snapshot.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - life: the life of the store, which already counts the snapshot.
    init(_ connection: sending SQLiteConnection, _ life: StoreLife) throws {
        self.life = life
        try connection.execute("BEGIN")
        // The snapshot begins with the first read, not with BEGIN.
        _ = try SQLiteCatalog.hasRow("SELECT 1 FROM sqlite_schema", connection)
        self.connection = Mutex(Guarded(connection))
    }

    deinit { end() }

    /// Closes the connection, and no longer counts the snapshot. A second call has no effect.
    private func end() {
        // Closing the connection rolls back its transaction.
        let isOpen = connection.withLock { connection in
            defer { connection = nil }
            return connection != nil
        }
        if isOpen { life.leave() }
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
                            throw CRUDRepositoryError.transactionEnded
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
                self.end()
                continuation.resume()
            }
        }
    }
}
