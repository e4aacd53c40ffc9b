internal import CSQLite

extension SQLiteConnection {
    /// Ends the transaction; once it returns, what was written is on the disk.
    ///
    /// With a write-ahead log SQLite first writes what a commit changes and then forces it to the
    /// disk. Where forcing fails it forgets what it has written, which lies in the log
    /// nevertheless, whole: a program that opens the database after this one has died would find
    /// the commit there (https://www.sqlite.org/walformat.html#recovery). So it is written over by
    /// a commit that changes nothing.
    ///
    /// - Throws: `SQLiteError`; the transaction may still be open. Where writing over a commit
    ///   fails too, the error says that its outcome is not known. `storeMoved` where the files of
    ///   the database are gone; the transaction is open.
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
                // The commit's own error is the one to report.
                throw failure.withUnknownOutcome
            }
            throw failure
        }
    }

    /// Whether the database keeps a write-ahead log.
    func hasWriteAheadLog() throws -> Bool {
        let mode = try statement("PRAGMA main.journal_mode")
        defer { mode.reset() }
        return try mode.step() && mode.text(at: 0) == "wal"
    }

    /// Writes the first page as it is. Its number for users is set to what it has, which is a write like any other.
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

    /// Whether a commit that failed so may lie in the log: what is written last makes a commit of the rest, so that it
    /// does not where writing failed.
    fileprivate var mayLeaveCommit: Bool {
        primaryCode == SQLITE_IOERR && code != Self.failedWrite
    }
}
