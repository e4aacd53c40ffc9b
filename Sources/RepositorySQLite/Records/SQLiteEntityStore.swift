internal import RepositoryRuntime

/// A store of entities over an access: what the store, its transactions and its snapshots share.
protocol SQLiteEntityStore: EntityStore {
    /// Where its operations run.
    associatedtype Access: SQLiteAccess
    /// Where its operations run.
    var access: Access { get }
    /// The tables it was opened with.
    var plans: EntityPlans { get }
}

extension SQLiteEntityStore {
    /// Reads with the statements of an entity.
    func scan<E: Entity, R: Sendable>(
        _ type: E.Type, id: E.ID? = nil,
        _ body: @escaping @Sendable (EntityStatements) throws -> R
    ) async throws -> R {
        let plans = self.plans
        return try await access.scan { connection in
            try SQLiteErrors.mapped(E.Mapper.table.name, id: id?.description) {
                try body(try connection.statements(type, plans))
            }
        }
    }

    /// Writes entities, and returns when they are as safe as the access makes them.
    ///
    /// - Parameter broken: the error for the reference of a batch that is to nothing in the end,
    ///   where the batch knows which; every table is searched otherwise.
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
                // Without references there is nothing to be put off.
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
