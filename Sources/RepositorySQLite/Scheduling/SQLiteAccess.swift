internal import RepositoryRuntime

/// Where the operations of entities run: on the connections of the store, on that of a transaction,
/// or on one that stays at a state of the database.
protocol SQLiteAccess: Sendable {
    /// Whether references are looked at by the commit of a transaction around, and not by each
    /// call.
    var defersReferences: Bool { get }

    /// Reads, off Swift's pool where it can take long; ends early with `CancellationError` when the
    /// task is cancelled.
    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R

    /// Changes data, whole or not at all.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R
}

extension SQLiteDatabase: SQLiteAccess {
    var defersReferences: Bool { false }
}
