internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteConnection {
    /// Runs the caller's own code with the connection, inside or outside a transaction.
    ///
    /// Afterwards observers are notified that anything may have changed.
    func lend<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        log?.addAnything()
        wasLent = true
        defer { forgetAudits() }
        return isInTransaction ? try lendInside(body) : try lendOutside(body)
    }

    /// Lends the connection outside a transaction. A transaction that `body` leaves open is rolled
    /// back.
    ///
    /// - Throws: `unsupported` if `body` leaves a transaction open.
    private func lendOutside<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        try file?.check(committing: self)
        let result = Result { try body(SQLiteHandle(pointer: handle)) }
        resetStatements()
        guard isInTransaction else {
            // `body` may have committed transactions of its own.
            try file?.check(committing: self)
            return try result.get()
        }
        // If the transaction stayed open, it would include the writes of other tasks.
        try execute("ROLLBACK")
        _ = try result.get()
        throw CRUDRepositoryError.unsupported("a transaction that is left open", by: "SQLite")
    }

    /// Lends the connection inside a transaction. The caller rolls back the changes if this throws.
    ///
    /// - Throws: `unsupported` if `body` ends the transaction.
    private func lendInside<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        denyTransactionControl()
        let result = Result { try body(SQLiteHandle(pointer: handle)) }
        sqlite3_set_authorizer(handle, nil, nil)
        resetStatements()
        // `body` can end the transaction with a statement that was prepared before, or after
        // replacing the authorizer.
        guard isInTransaction else {
            _ = try result.get()
            throw SQLiteAudit.refusal
        }
        return try result.get()
    }

    /// Installs an authorizer that denies statements that begin or end a transaction, or release a
    /// savepoint of the store.
    private func denyTransactionControl() {
        sqlite3_set_authorizer(
            handle,
            { _, action, _, name, _, _ in
                switch action {
                case SQLITE_TRANSACTION: return SQLITE_DENY
                case SQLITE_SAVEPOINT:
                    let isOwn = name.map { SQLiteSavepoint.isOwn(String(cString: $0)) } ?? false
                    return isOwn ? SQLITE_DENY : SQLITE_OK
                default: return SQLITE_OK
                }
            }, nil)
    }

    /// Resets the statements that `body` left running.
    ///
    /// An unfinished read keeps its snapshot of the database. The connection could not write after
    /// a commit of another process.
    private func resetStatements() {
        var statement = sqlite3_next_stmt(handle, nil)
        while let running = statement {
            if sqlite3_stmt_busy(running) != 0 { sqlite3_reset(running) }
            statement = sqlite3_next_stmt(handle, running)
        }
    }
}
