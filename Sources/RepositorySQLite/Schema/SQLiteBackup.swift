internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Copies a database into a new file.
///
/// The copy is written under a temporary name, synced to disk and renamed: it is complete, or there
/// is none.
struct SQLiteBackup {
    private let location: SQLiteLocation
    private let path: String
    /// The number of pages between two checks for cancellation.
    private static let pages: Int32 = 1024

    /// Creates a copy of a database to a file.
    init(_ location: SQLiteLocation, to url: URL) {
        self.location = location.withoutIdentity
        path = url.path
    }

    /// Copies the database. Another connection holds the write lock, and has changed nothing, so
    /// that the copy is the state that is migrated.
    ///
    /// - Parameter check: throws to cancel the copy.
    /// - Throws: `databaseError` if the file exists, or if it cannot be written; the error of
    ///   `check`.
    func run(_ check: () throws -> Void) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw DiskSync.failure("The data cannot be copied to '\(path)'", EEXIST)
        }
        let unfinished = path + ".unfinished"
        // What a process left that ended during a copy.
        remove(unfinished)
        do {
            try copy(to: unfinished, check)
            try DiskSync.file(unfinished)
            try name(unfinished)
            remove(unfinished)
            try DiskSync.folder(of: path)
        } catch {
            remove(unfinished)
            throw error
        }
    }

    /// Gives the finished copy its name.
    private func name(_ file: String) throws {
        // A link, unlike a renaming, does not replace a file that was created in the meantime.
        if link(file, path) == 0 { return }
        let hasLinks = ![EPERM, EOPNOTSUPP, ENOSYS].contains(errno)
        if !hasLinks, access(path, F_OK) != 0, rename(file, path) == 0 { return }
        throw DiskSync.failure("The data cannot be copied to '\(path)'", errno)
    }

    private func copy(to file: String, _ check: () throws -> Void) throws {
        let created = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard created >= 0 else {
            throw DiskSync.failure("The data cannot be copied to '\(path)'", errno)
        }
        close(created)
        let copy = try SQLiteConnection(.file(file, busyTimeout: .zero), .copying)
        try copy.execute("PRAGMA synchronous = FULL")
        // SQLite copies from no connection that is in a write transaction.
        let source = try SQLiteConnection(location, .inspecting(isAlone: false))
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
    }

    private func remove(_ file: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) }
    }
}
