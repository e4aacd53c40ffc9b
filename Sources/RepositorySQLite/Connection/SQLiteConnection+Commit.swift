internal import CSQLite

extension SQLiteConnection {
    /// Commits the transaction. When the call returns, the changes are synced to disk.
    ///
    /// First it checks that the database's files were not replaced.
    ///
    /// With a write-ahead log, SQLite first writes the changes of a commit to the log and then
    /// syncs the log. If the sync fails, SQLite discards the commit, but all its frames are in the
    /// log nevertheless. A program that opens the database after this process has ended would
    /// recover the commit (https://www.sqlite.org/walformat.html#recovery). Therefore a failed
    /// commit is overwritten in the log by a commit that changes nothing.
    ///
    /// - Throws: `SQLiteError`; the transaction may still be open. If the failed commit cannot be
    ///   overwritten, the error reports that its outcome is unknown. `storeMoved` if the database's
    ///   files were removed or replaced; the transaction is still open.
    func commit() throws {
        try file?.check(committing: self)
        do {
            try statement("COMMIT").run()
        } catch let failure as SQLiteError {
            guard failure.mayLeaveCommit else { throw failure }
            do {
                if isInTransaction { try statement("ROLLBACK").run() }
                if try hasWriteAheadLog() { try commitNothing() }
            } catch {
                // The error of the commit is the one to report.
                throw failure.withUnknownOutcome
            }
            throw failure
        }
    }

    /// Returns whether the database uses a write-ahead log.
    func hasWriteAheadLog() throws -> Bool {
        let mode = try statement("PRAGMA main.journal_mode")
        defer { mode.reset() }
        return try mode.step() && mode.text(at: 0) == "wal"
    }

    /// Commits a transaction that rewrites the first page without a change, by setting
    /// `user_version` to its current value. SQLite treats this as an ordinary write.
    private func commitNothing() throws {
        try execute("BEGIN IMMEDIATE")
        do {
            let version = try statement("PRAGMA main.user_version")
            defer { version.reset() }
            guard try version.step() else { throw version.failure() }
            let number = version.integer(at: 0)
            version.reset()
            try execute("PRAGMA main.user_version = \(number)")
            try execute("COMMIT")
        } catch {
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }
}

extension SQLiteError {
    /// `SQLITE_IOERR_WRITE`, a macro that Swift does not import.
    private static let failedWrite = SQLITE_IOERR | 3 << 8

    /// Whether a commit that failed with this error may be in the write-ahead log.
    ///
    /// If a write failed, it is not: SQLite writes the commit frame last, and recovery ignores
    /// frames without it.
    fileprivate var mayLeaveCommit: Bool {
        primaryCode == SQLITE_IOERR && code != Self.failedWrite
    }
}
