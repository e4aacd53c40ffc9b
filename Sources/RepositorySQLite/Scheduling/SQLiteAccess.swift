internal import RepositoryRuntime

/// Runs the operations of entities on a connection.
///
/// The connection is one of the store's, that of a transaction, or one that reads a snapshot.
protocol SQLiteAccess: Sendable {
    /// Whether references are checked when the surrounding transaction commits, and not by each
    /// operation.
    var defersReferences: Bool { get }

    /// Reads, on a thread that may block if the read can take long.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, even in the middle of the
    ///   read.
    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R

    /// Writes atomically: if it throws, nothing is changed.
    ///
    /// - Parameters:
    ///   - isolation: what `body` may leave behind when it throws.
    ///   - body: the operation. It may run again after a rollback.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R
}

extension SQLiteDatabase: SQLiteAccess {
    /// A batch outside a transaction checks references at its own end.
    var defersReferences: Bool { false }
}
