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

    /// Runs a statement of the caller's own and returns its rows as entities: it has a column of the name of each column
    /// of the entity's table, in any order, and may have others.
    ///
    /// - Throws: `invalidRecord` where a column is missing or a row holds no such entity.
    public func sql<E: Entity>(_ statement: SQL, as type: E.Type) async throws -> [E] {
        let table = try plans.plan(E.Mapper.table.name).table
        return try await run(statement) { try $0.entities(type, table) }
    }

    /// Runs a statement of the caller's own and returns how many rows it inserted, changed or deleted itself, those that
    /// references changed in turn left out.
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
            if let access = runningTransaction { return try await access.write(.statement, write) }
            // Only SQLite knows whether it writes.
            let read = try await database.scan { connection in
                try SQLiteOwnStatement.read(query, connection, body)
            }
            if let read { return read }
            return try await database.write(.statement, write)
        }
    }

    /// The transaction of this store that the present task runs in.
    private var runningTransaction: SQLiteTransactionAccess? {
        (TransactionScope.transaction(of: changes) as? SQLiteTransaction)?.access
    }

    /// Gives the writing connection of SQLite's own C interface to a body, on a thread that may wait.
    ///
    /// Inside a transaction's body it is the connection of the transaction; elsewhere none is open, and one that the
    /// body begins it also ends. Observers are told that anything may have changed. Statements are finalised by the
    /// body, and what it changes of the connection stays changed.
    /// - Parameter body: is given the connection, which is good until it returns.
    public func withConnection<R: Sendable>(
        _ body: @escaping @Sendable (borrowing SQLiteHandle) throws -> R
    ) async throws -> R {
        try await SQLiteErrors.mapped {
            if let access = runningTransaction {
                return try await access.write(.statement) { connection in
                    connection.log?.addAnything()
                    return try body(SQLiteHandle(pointer: connection.handle))
                }
            }
            return try await database.write(.bare) { connection in
                connection.log?.addAnything()
                defer { connection.forgetAudits() }
                let result = try body(SQLiteHandle(pointer: connection.handle))
                guard !connection.isInTransaction else {
                    try connection.execute("ROLLBACK")
                    throw CRUDRepositoryError.unsupported(
                        "a transaction that is left open", by: "SQLite")
                }
                return result
            }
        }
    }
}

/// A connection of SQLite's C interface, lent for the time of a call.
public struct SQLiteHandle: ~Copyable {
    /// The `sqlite3 *`.
    public let pointer: OpaquePointer
}
