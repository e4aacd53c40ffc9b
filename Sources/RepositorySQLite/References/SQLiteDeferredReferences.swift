internal import CSQLite
internal import RepositoryRuntime

extension SQLiteConnection {
    /// Runs a batch whose references are looked at in its end, as those of a transaction are: its
    /// records may refer to each other whatever comes first.
    ///
    /// It is tried first with references that are looked at by each statement: where none is
    /// refused, none is broken in the end either. Only what is refused for a reference is taken
    /// back and done again with the looking put off, because the `PRAGMA` that does it makes SQLite
    /// prepare every statement of the connection anew.
    ///
    /// It is the whole of a job. The caller takes back what was done where this throws.
    /// - Parameters:
    ///   - body: what is done, perhaps twice.
    ///   - broken: the error for references that are to nothing in the end.
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

    /// Takes back what the present job has done. One that shares its transaction with others has a savepoint; a job that has it to
    /// itself needs none, in which SQLite would keep a copy of every page that is changed.
    private func takeBackJob() throws {
        if let savepoint { return try statement("ROLLBACK TO \(savepoint)").run() }
        try statement("ROLLBACK").run()
        try statement("BEGIN IMMEDIATE").run()
    }

    private func puttingOffReferences<R>(
        _ body: () throws -> R, broken: () throws -> any Error
    ) throws -> R {
        try statement("PRAGMA defer_foreign_keys = ON").run()
        let result = Result {
            let result = try body()
            if try hasOpenReferences() { throw try broken() }
            return result
        }
        // Also forgets how many were open; what was thrown makes the caller roll back.
        try statement("PRAGMA defer_foreign_keys = OFF").run()
        return try result.get()
    }

    /// Whether SQLite has refused a statement for a reference, by a constraint or by the trigger of a
    /// deletion's rule.
    private static func isRefusedReference(_ error: any Error) -> Bool {
        let found = error as? SQLiteError
        guard
            let error = found
                ?? (error as? CRUDRepositoryError)?.underlyingError as? SQLiteError
        else { return false }
        return error.code == SQLiteError.foreignKey.code
            || error.code == SQLITE_CONSTRAINT | 7 << 8
    }

    /// Whether a reference is to nothing whose looking at was put off.
    private func hasOpenReferences() throws -> Bool {
        var (open, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        guard code == SQLITE_OK else { throw SQLiteError(handle) }
        return open > 0
    }
}
