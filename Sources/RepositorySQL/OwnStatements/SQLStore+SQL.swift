public import RepositoryRuntime
internal import RepositorySQLCore

extension SQLStore {
    /// Runs a SQL query and returns its rows.
    ///
    /// ```swift
    /// let rows = try await store.sql("SELECT title FROM books WHERE pages > \(minimum)")
    /// let titles = try rows.map { try $0.value(String.self, named: "title") }
    /// ```
    ///
    /// Interpolated values are bound as parameters; see `SQL`. The query takes its turn among the
    /// writes of the store and runs in a transaction of its own, so that it may also write and return
    /// what it wrote. Inside the body of a transaction, it is part of the transaction. Observers are
    /// notified that anything may have changed.
    ///
    /// - Throws: `databaseError` with ``SQLDriverError`` as the underlying error; `unsupported`.
    @discardableResult
    public func sql(_ statement: SQL) async throws -> [SQLRow] {
        let query = try statement.query(database.dialect)
        return try await own { session in
            let result = try session.result(query.text, session.plain(query.parameters))
            return result.rows.enumerated().map { number, row in
                SQLRow(columns: result.columns, values: row.map(\.stored), number: number)
            }
        }
    }

    /// Runs a SQL query and returns its rows as entities.
    ///
    /// The result must have a column with the name of each column of the entity's table. The columns
    /// may be in any order, and there may be others. The query runs as one of ``sql(_:)`` does.
    ///
    /// - Throws: `invalidRecord` if a column is missing or a row cannot be decoded as an entity.
    public func sql<E: Entity>(_ statement: SQL, as type: E.Type) async throws -> [E] {
        let query = try statement.query(database.dialect)
        let table = try plans.plan(E.Mapper.table.name).table
        return try await own { session in
            let result = try session.result(query.text, session.plain(query.parameters))
            let places = try table.places(in: result.columns)
            return try RecordRows.all(
                type, result.rows.map { row in places.map { row[$0] } }, table, session)
        }
    }

    /// Runs a SQL statement. It runs as a query of ``sql(_:)`` does.
    ///
    /// - Returns: the number of rows that it inserted, updated or deleted, as the database counts
    ///   them.
    /// - Throws: `databaseError` with ``SQLDriverError`` as the underlying error; `unsupported`.
    public func execute(_ statement: SQL) async throws -> Int {
        let query = try statement.query(database.dialect)
        return try await own { session in
            try session.execute(query.text, session.plain(query.parameters))
        }
    }

    /// Runs a closure with the connection that writes, on a thread that may block.
    ///
    /// It takes its turn among the writes of the store, in a transaction of its own, or is part of
    /// the transaction in whose body it is called. If the closure throws, its changes are rolled
    /// back. It must not begin or end a transaction. Observers are notified that anything may have
    /// changed.
    ///
    /// - Parameter body: receives the connection, as the driver has opened it.
    /// - Throws: the errors of `body`.
    public func withConnection<R: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> R
    ) async throws -> R {
        try await own { try $0.lend(body) }
    }

    /// Runs statements in the current transaction, or in one of their own.
    private func own<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try database.life.check()
        return try await SQLDriverError.mapped(name) {
            if let running = running(SQLTransaction.self) {
                return try await running.access.own(body)
            }
            return try await database.transaction(
                body, committed: { [changes] _ in changes.send(.anything) })
        }
    }
}
