internal import CSQLite

extension SQLiteConnection {
    /// Runs a batch whose references are looked at in its end, as those of a transaction are: its
    /// records may refer to each other whatever comes first.
    ///
    /// The caller takes back what was done where this throws.
    /// - Parameter broken: the error for references that are to nothing in the end.
    func deferringReferences<R>(
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

    /// Whether a reference is to nothing whose looking at was put off.
    private func hasOpenReferences() throws -> Bool {
        var (open, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        guard code == SQLITE_OK else { throw SQLiteError(handle) }
        return open > 0
    }
}
