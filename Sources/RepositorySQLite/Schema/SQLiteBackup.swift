internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

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

    /// Copies the last commit of the database, in one read transaction.
    ///
    /// A migration holds the write lock on another connection, and has changed nothing, so that the
    /// copy is the state that is migrated.
    ///
    /// - Parameter check: throws to cancel the copy.
    /// - Throws: `databaseError` if the file exists, or if it cannot be written; `storeMoved` if
    ///   the database was replaced or renamed; the error of `check`.
    func run(_ check: () throws -> Void) throws {
        try writing { try copy(to: $0, check) }
    }

    /// Copies a database in memory, which has a single connection.
    func run(from connection: SQLiteConnection) throws {
        try writing { try copy(connection, to: $0, pages: -1) {} }
    }

    /// Writes a file, syncs it to disk, and verifies it.
    private func writing(_ write: (String) throws -> Void) throws {
        try WholeCopy.write(.file, to: url, leftovers: ["-journal", "-wal", "-shm"]) { file in
            try write(file)
            try DiskSync.file(file)
            let copy = try SQLiteConnection(
                .file(file, busyTimeout: .zero).withoutIdentity, .inspecting(isAlone: true))
            guard let problem = try copy.integrityProblems(1).first else { return }
            throw CRUDRepositoryError(
                .databaseError, "The database or its copy is damaged: \(problem).")
        }
    }

    private func copy(to file: String, _ check: () throws -> Void) throws {
        // SQLite copies from no connection that is in a write transaction.
        let source = try SQLiteConnection(
            location.withoutIdentity, .inspecting(isAlone: false))
        // Without a transaction of its own, the copy would begin again after each commit. The
        // transaction begins with the first read.
        try source.execute("BEGIN")
        _ = try SQLiteCatalog.hasRow("SELECT 1 FROM sqlite_schema", source)
        // The name may be that of another database by now.
        try location.file?.check(opened: source.handle)
        try copy(source, to: file, pages: Self.pages, check)
        // Nor may its log have been replaced.
        try location.file?.check(committing: source)
    }

    /// Copies a database through a connection.
    private func copy(
        _ source: SQLiteConnection, to file: String, pages: Int32, _ check: () throws -> Void
    ) throws {
        let copy = try SQLiteConnection(.file(file, busyTimeout: .zero), .copying)
        try copy.execute("PRAGMA synchronous = FULL")
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
        else { throw SQLiteError(copy.handle) }
        var result = SQLITE_OK
        var failure: (any Error)?
        while result == SQLITE_OK, failure == nil {
            result = sqlite3_backup_step(backup, pages)
            do { try check() } catch { failure = error }
        }
        let finished = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        guard finished == SQLITE_OK else { throw SQLiteError(copy.handle) }
        guard result == SQLITE_DONE else {
            throw SQLiteError(code: result, message: String(cString: sqlite3_errstr(result)))
        }
    }
}
