internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Copies a database into a new file, which is complete or does not exist.
struct SQLiteBackup {
    private let location: SQLiteLocation
    private let url: URL
    /// The number of pages between two checks for cancellation.
    private static let pages: Int32 = 1024

    /// Creates a copy of a database to a file.
    init(_ location: SQLiteLocation, to url: URL) {
        self.location = location
        self.url = url
    }

    /// Copies the database. Another connection holds the write lock, and has changed nothing, so
    /// that the copy is the state that is migrated.
    ///
    /// - Parameter check: throws to cancel the copy.
    /// - Throws: `databaseError` if the file exists, or if it cannot be written; `storeMoved` if
    ///   the database was replaced or renamed; the error of `check`.
    func run(_ check: () throws -> Void) throws {
        try WholeCopy.write(.file, to: url, leftovers: ["-journal", "-wal", "-shm"]) { file in
            try copy(to: file, check)
            try DiskSync.file(file)
        }
    }

    private func copy(to file: String, _ check: () throws -> Void) throws {
        let copy = try SQLiteConnection(.file(file, busyTimeout: .zero), .copying)
        try copy.execute("PRAGMA synchronous = FULL")
        // SQLite copies from no connection that is in a write transaction.
        let source = try SQLiteConnection(
            location.withoutIdentity, .inspecting(isAlone: false))
        // The name may be that of another database by now.
        try location.file?.check(opened: source.handle)
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
        else { throw SQLiteError(copy.handle) }
        var result = SQLITE_OK
        var failure: (any Error)?
        while result == SQLITE_OK, failure == nil {
            result = sqlite3_backup_step(backup, Self.pages)
            do { try check() } catch { failure = error }
        }
        let finished = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        guard finished == SQLITE_OK else { throw SQLiteError(copy.handle) }
        guard result == SQLITE_DONE else {
            throw SQLiteError(code: result, message: String(cString: sqlite3_errstr(result)))
        }
        // Nor may its log have been replaced.
        try location.file?.check(committing: source)
    }
}
