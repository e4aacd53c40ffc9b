internal import CSQLite
internal import RepositoryRuntime

extension SQLiteConnection {
    /// Gives the connection to a body of the caller's own, inside a transaction or outside of any.
    func lend<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        log?.addAnything()
        defer { forgetAudits() }
        return isInTransaction ? try lendInside(body) : try lendOutside(body)
    }

    private func lendOutside<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        try file?.check(committing: self)
        let result = Result { try body(SQLiteHandle(pointer: handle)) }
        resetStatements()
        guard isInTransaction else {
            // What the body has committed itself.
            try file?.check(committing: self)
            return try result.get()
        }
        // Left open, it would take in the writes of others.
        try execute("ROLLBACK")
        _ = try result.get()
        throw CRUDRepositoryError.unsupported("a transaction that is left open", by: "SQLite")
    }

    /// Lends the connection of a transaction. The caller undoes what was done where this throws.
    private func lendInside<R>(_ body: (borrowing SQLiteHandle) throws -> R) throws -> R {
        denyTransactionControl()
        let result = Result { try body(SQLiteHandle(pointer: handle)) }
        sqlite3_set_authorizer(handle, nil, nil)
        resetStatements()
        // By a statement that was prepared before, or under an authorizer of the body's own.
        guard isInTransaction else {
            _ = try result.get()
            throw SQLiteAudit.refusal
        }
        return try result.get()
    }

    /// Denies statements that would begin or end a transaction, or release a savepoint of the
    /// store's.
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

    /// Resets the statements that a body has left running: a read that is not over holds on to a
    /// state of the database, on which nothing can be written once another process has.
    private func resetStatements() {
        var statement = sqlite3_next_stmt(handle, nil)
        while let running = statement {
            if sqlite3_stmt_busy(running) != 0 { sqlite3_reset(running) }
            statement = sqlite3_next_stmt(handle, running)
        }
    }
}
