internal import RepositoryRuntime

/// The operations of a store of entities, shared by the store, its transactions and its snapshots.
///
/// They run on an ``SQLiteAccess``, which decides on the connection and the thread.
protocol SQLiteEntityStore: TolerantStore, RecordChangingStore {
    /// The type of the access.
    associatedtype Access: SQLiteAccess
    /// The access that runs the operations.
    var access: Access { get }
    /// The plans of the tables in all open schemas.
    var plans: EntityPlans { get }
}

extension SQLiteEntityStore {
    /// Runs a read with the statements of an entity.
    ///
    /// - Parameters:
    ///   - type: the type of the entity.
    ///   - id: the id of the record that is read, for errors.
    ///   - body: the read.
    func scan<E: Entity, R: Sendable>(
        _ type: E.Type, id: E.ID? = nil,
        _ body: @escaping @Sendable (EntityStatements) throws -> R
    ) async throws -> R {
        let plans = self.plans
        do {
            return try await access.scan { connection in
                try body(try connection.statements(type, plans))
            }
        } catch let error as SQLiteError {
            // Also from opening the connection.
            throw SQLiteErrors.databaseError(
                error, table: E.Mapper.table.name, id: id?.description)
        }
    }

    /// Runs a write, and returns when its changes are as durable as the access makes them.
    ///
    /// A batch of its own, outside a transaction, checks references at its end.
    ///
    /// - Parameters:
    ///   - isolation: what `body` may leave behind when it throws.
    ///   - id: the id of the record that is written, for errors.
    ///   - broken: returns the error for a dangling reference at the end of a batch. If it returns
    ///     `nil`, all tables are searched for the reference.
    ///   - body: the write. It may run again after a rollback.
    func write<E: Entity, R: Sendable>(
        _ isolation: SQLiteWriter.Isolation, id: E.ID? = nil,
        broken: @escaping @Sendable (SQLiteRecordWriter<E>) throws -> CRUDRepositoryError? = { _ in
            nil
        },
        _ body: @escaping @Sendable (SQLiteRecordWriter<E>) throws -> R
    ) async throws -> R {
        let plans = self.plans
        let isOwnBatch = isolation == .batch && !access.defersReferences
        do {
            return try await access.write(isolation) { connection in
                let writer = try SQLiteRecordWriter<E>(connection, plans)
                // Without references no check needs to be deferred.
                guard isOwnBatch, try plans.plan(E.Mapper.table.name).hasReferences else {
                    return try body(writer)
                }
                return try connection.deferringReferences({ try body(writer) }) {
                    let error = SQLiteError.foreignKey
                    return try broken(writer)
                        ?? SQLiteBrokenReference.dangling(error, connection, plans)
                }
            }
        } catch let error as SQLiteError {
            throw SQLiteErrors.databaseError(
                error, table: E.Mapper.table.name, id: id?.description)
        }
    }
}
