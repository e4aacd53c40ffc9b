internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteConnection {
    /// Runs a batch whose references are checked at its end, like those of a transaction. Its
    /// records may refer to each other in any order.
    ///
    /// The batch first runs with immediate checks. If no statement violates a reference, no
    /// reference is dangling at the end either. Only after a violation is the batch rolled back and
    /// run again with deferred checks, because `PRAGMA defer_foreign_keys` makes SQLite prepare all
    /// statements of the connection again.
    ///
    /// The batch must be a whole job. The caller rolls it back if this method throws.
    ///
    /// - Parameters:
    ///   - body: the batch. It may run twice.
    ///   - broken: returns the error for references that are dangling at the end.
    func deferringReferences<R>(
        _ body: () throws -> R, broken: () throws -> any Error
    ) throws -> R {
        let log = log
        do {
            return try body()
        } catch  where Self.isRefusedReference(error) && isInTransaction {
            try takeBackJob()
        }
        self.log = log
        return try puttingOffReferences(body, broken: broken)
    }

    /// Rolls back the current job and begins it again.
    ///
    /// A job that shares its transaction with others has a savepoint. A job with a transaction of
    /// its own has none, because SQLite would copy every changed page for it.
    private func takeBackJob() throws {
        if let savepoint { return try statement("ROLLBACK TO \(savepoint)").run() }
        try statement("ROLLBACK").run()
        try beginImmediate()
    }

    /// Runs a batch with deferred checks, and checks the references at its end.
    private func puttingOffReferences<R>(
        _ body: () throws -> R, broken: () throws -> any Error
    ) throws -> R {
        try statement("PRAGMA defer_foreign_keys = ON").run()
        let result = Result {
            let result = try body()
            if try hasOpenReferences() { throw try broken() }
            return result
        }
        // This also resets SQLite's count of dangling references. If the batch failed, the caller
        // rolls it back.
        try statement("PRAGMA defer_foreign_keys = OFF").run()
        return try result.get()
    }

    /// Returns whether an error is a foreign key violation, reported by the constraint itself or by
    /// the trigger of an `ON DELETE` action.
    private static func isRefusedReference(_ error: any Error) -> Bool {
        let found = error as? SQLiteError
        guard
            let error = found
                ?? (error as? CRUDRepositoryError)?.underlyingError as? SQLiteError
        else { return false }
        // The second code is `SQLITE_CONSTRAINT_TRIGGER`, a macro that Swift does not import.
        return error.code == SQLiteError.foreignKey.code
            || error.code == SQLITE_CONSTRAINT | 7 << 8
    }

    /// Returns whether a deferred foreign key check found a dangling reference.
    private func hasOpenReferences() throws -> Bool {
        var (open, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        guard code == SQLITE_OK else { throw SQLiteError(handle) }
        return open > 0
    }
}
