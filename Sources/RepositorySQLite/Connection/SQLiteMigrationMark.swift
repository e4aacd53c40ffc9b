internal import CSQLite
internal import Foundation

/// Shows other processes that a migration holds the write lock of a database.
///
/// It is a locked file beside the database. The system releases the lock when the process ends, so
/// that a killed migration leaves no mark; the empty file that it leaves is removed by the next
/// migration.
///
/// The mark only decides which error another process reports. If the file cannot be created or
/// locked, the other process reports that the database is busy.
final class SQLiteMigrationMark {
    private let path: String
    private var file: Int32

    /// Sets the mark. The connection holds the write lock of the database.
    ///
    /// - Returns: `nil` for a database in memory, or if the file cannot be locked.
    init?(_ connection: SQLiteConnection) {
        guard let path = Self.path(connection) else { return nil }
        self.path = path
        // A migration that has just ended may be about to remove its file.
        for _ in 0..<50 {
            file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if file < 0 { return nil }
            if flock(file, LOCK_EX | LOCK_NB) == 0, Self.isSame(file, path) { return }
            close(file)
            usleep(2_000)
        }
        return nil
    }

    deinit { remove() }

    /// Removes the mark.
    func remove() {
        guard file >= 0 else { return }
        unlink(path)
        close(file)
        file = -1
    }

    /// Returns whether a migration of the database holds the mark.
    static func isHeld(for connection: SQLiteConnection) -> Bool {
        guard let path = path(connection) else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return false }
        // Closing the file releases the lock.
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func path(_ connection: SQLiteConnection) -> String? {
        guard let name = sqlite3_db_filename(connection.handle, "main"), name[0] != 0 else {
            return nil
        }
        return String(cString: name) + "-migrating"
    }

    /// Returns whether a path is still the name of an open file.
    private static func isSame(_ file: Int32, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(file, &open) == 0 && stat(path, &named) == 0 && open.st_dev == named.st_dev
            && open.st_ino == named.st_ino
    }
}

extension SQLiteConnection {
    /// Begins a transaction with the write lock.
    ///
    /// - Throws: `migrating` if a migration in another process holds the lock; `SQLiteError`.
    func beginImmediate() throws {
        do {
            try statement("BEGIN IMMEDIATE").run()
        } catch let error as SQLiteError
            where error.isRetryable && SQLiteMigrationMark.isHeld(for: self)
        {
            throw SQLiteErrors.migrating(error)
        }
    }
}
