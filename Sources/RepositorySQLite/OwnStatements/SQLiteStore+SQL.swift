public import RepositoryRuntime

extension SQLiteStore {
    /// Runs a statement of the caller's own and returns its rows.
    ///
    /// ```swift
    /// let rows = try await store.sql("SELECT title FROM books WHERE pages > \(minimum)")
    /// let titles = try rows.map { try $0.value(String.self, named: "title") }
    /// ```
    /// Interpolated values are bound: see ``SQL``. A statement that reads runs beside others that read; one that writes
    /// takes its turn among the writes of the store, is on disk when this returns, and is seen by those who observe the
    /// tables it wrote. Inside a transaction's body it is part of the transaction. It is one statement, and none that
    /// begins or ends a transaction.
    /// - Throws: `databaseError` with ``SQLiteError`` beneath; `unsupported`.
    @discardableResult
    public func sql(_ statement: SQL) async throws -> [SQLRow] {
        try await run(statement) { try $0.rows() }
    }

    /// Runs a statement of the caller's own and returns its rows as entities: it has a column of
    /// the name of each column of the entity's table, in any order, and may have others.
    ///
    /// - Throws: `invalidRecord` where a column is missing or a row holds no such entity.
    public func sql<E: Entity>(_ statement: SQL, as type: E.Type) async throws -> [E] {
        let table = try plans.plan(E.Mapper.table.name).table
        return try await run(statement) { try $0.entities(type, table) }
    }

    /// Runs a statement of the caller's own and returns how many rows it inserted, changed or
    /// deleted itself, those that references changed in turn left out.
    public func execute(_ statement: SQL) async throws -> Int {
        try await run(statement) { try $0.changes() }
    }

    private func run<R: Sendable>(
        _ sql: SQL, _ body: @escaping @Sendable (SQLiteOwnStatement) throws -> R
    ) async throws -> R {
        let query = try sql.query(SQLiteDialect())
        let plans = self.plans
        return try await SQLiteErrors.mapped {
            let write: @Sendable (SQLiteConnection) throws -> R = { connection in
                try SQLiteOwnStatement.write(query, connection, plans, body)
            }
            // A statement that has written may fail afterwards, where its rows are read: it is
            // undone by itself.
            if let access = runningTransaction { return try await access.write(.batch, write) }
            // Only SQLite knows whether it writes.
            let read = try await database.scan { connection in
                try SQLiteOwnStatement.read(query, connection, body)
            }
            if let read { return read }
            return try await database.write(.batch, write)
        }
    }

    /// The transaction of this store that the present task runs in.
    private var runningTransaction: SQLiteTransactionAccess? {
        (TransactionScope.transaction(of: changes) as? SQLiteTransaction)?.access
    }

    /// Gives the writing connection of SQLite's own C interface to a body, on a thread that may
    /// wait.
    ///
    /// Inside a transaction's body it is the connection of the transaction. What the body changed
    /// is undone where it throws, and the transaction goes on; SQLite denies it (`SQLITE_AUTH`) to
    /// begin or end a transaction. Elsewhere no transaction is open, and one that the body begins
    /// it also ends; one that it leaves open is rolled back.
    ///
    /// Observers are told that anything may have changed. The body finalises its statements; those
    /// that it leaves running are reset. What it changes of the connection itself stays changed.
    /// - Parameter body: is given the connection, which is valid until it returns.
    /// - Throws: what the body throws; `unsupported` where it leaves a transaction open or ends one
    ///   that is not its own.
    public func withConnection<R: Sendable>(
        _ body: @escaping @Sendable (borrowing SQLiteHandle) throws -> R
    ) async throws -> R {
        try await SQLiteErrors.mapped {
            if let access = runningTransaction {
                return try await access.write(.batch) { try $0.lend(body) }
            }
            return try await database.write(.bare) { try $0.lend(body) }
        }
    }
}

/// A connection of SQLite's C interface, lent for the time of a call.
public struct SQLiteHandle: ~Copyable {
    /// The `sqlite3 *`.
    public let pointer: OpaquePointer
}
