public import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteStore {
    /// Runs an SQL statement and returns its rows.
    ///
    /// ```swift
    /// let rows = try await store.sql("SELECT title FROM books WHERE pages > \(minimum)")
    /// let titles = try rows.map { try $0.value(String.self, named: "title") }
    /// ```
    ///
    /// Interpolated values are bound as parameters; see `SQL`. A statement that only reads runs
    /// concurrently with other reads. A statement that writes is queued with the writes of the
    /// store, and its changes are synced to disk when this method returns. Observers of the tables
    /// that it wrote are notified. Inside the body of a transaction, the statement is part of the
    /// transaction.
    ///
    /// The text must be a single statement that does not begin or end a transaction.
    ///
    /// - Throws: `databaseError` with ``SQLiteError`` as the underlying error; `unsupported`.
    @discardableResult
    public func sql(_ statement: SQL) async throws -> [SQLRow] {
        try await run(statement) { try $0.rows() }
    }

    /// Runs an SQL statement and returns its rows as entities.
    ///
    /// The result must have a column with the name of each column of the entity's table. The
    /// columns may be in any order, and there may be others.
    ///
    /// - Throws: `invalidRecord` if a column is missing or a row cannot be decoded as an entity.
    public func sql<E: Entity>(_ statement: SQL, as type: E.Type) async throws -> [E] {
        let table = try plans.plan(E.Mapper.table.name).table
        return try await run(statement) { try $0.entities(type, table) }
    }

    /// Runs an SQL statement.
    ///
    /// It is queued and observed like a statement of ``sql(_:)``.
    ///
    /// - Returns: the number of rows that it inserted, updated or deleted, without those that
    ///   foreign key actions changed.
    /// - Throws: `databaseError` with ``SQLiteError`` as the underlying error; `unsupported`.
    public func execute(_ statement: SQL) async throws -> Int {
        try await run(statement) { try $0.changes() }
    }

    /// Runs a statement in the current transaction, on a reading connection, or on the writing
    /// connection.
    private func run<R: Sendable>(
        _ sql: SQL, _ body: @escaping @Sendable (SQLiteOwnStatement) throws -> R
    ) async throws -> R {
        let query = try sql.query(SQLiteDialect())
        let plans = self.plans
        return try await SQLiteErrors.mapped {
            let write: @Sendable (SQLiteConnection) throws -> R = { connection in
                try SQLiteOwnStatement.write(query, connection, plans, body)
            }
            // A statement may fail after it has written, when its rows are read. As a batch it is
            // rolled back on its own.
            if let access = running(SQLiteTransaction.self)?.access {
                return try await access.write(.batch, write)
            }
            // Only SQLite can determine whether the statement writes.
            let read = try await database.scan { connection in
                try SQLiteOwnStatement.read(query, connection, body)
            }
            if let read { return read }
            return try await database.write(.batch, write)
        }
    }

    /// Runs a closure with the store's writing connection, for use with SQLite's C interface. The
    /// closure runs on a thread that may block.
    ///
    /// Inside the body of a transaction, the connection is that of the transaction. If the closure
    /// throws, its changes are rolled back and the transaction continues. SQLite denies statements
    /// that begin or end a transaction (`SQLITE_AUTH`).
    ///
    /// Outside a transaction, no transaction is open. If the closure begins one, it must also end
    /// it; otherwise the transaction is rolled back.
    ///
    /// Observers are notified that anything may have changed. The closure must finalize its
    /// statements; statements that it leaves running are reset. Settings of the connection that it
    /// changes are not restored.
    ///
    /// - Parameter body: receives the connection, which is valid until the closure returns.
    /// - Throws: the errors of `body`; `unsupported` if it leaves a transaction open or ends one
    ///   that it did not begin.
    public func withConnection<R: Sendable>(
        _ body: @escaping @Sendable (borrowing SQLiteHandle) throws -> R
    ) async throws -> R {
        try await SQLiteErrors.mapped {
            if let access = running(SQLiteTransaction.self)?.access {
                return try await access.write(.batch) { try $0.lend(body) }
            }
            return try await database.write(.bare) { try $0.lend(body) }
        }
    }
}

/// A connection of SQLite's C interface. It is valid only during the call that provides it.
public struct SQLiteHandle: ~Copyable {
    /// The `sqlite3 *`.
    public let pointer: OpaquePointer
}
