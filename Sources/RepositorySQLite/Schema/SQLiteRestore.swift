internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Copies a backup into an empty database, in one transaction.
struct SQLiteRestore {
    private let path: String

    /// Creates a restore of a backup file.
    init(from url: URL) { path = url.standardizedFileURL.path }

    /// Verifies the backup, and copies it.
    ///
    /// - Parameter connection: the writing connection of an empty database, outside a transaction.
    /// - Throws: `storeNotEmpty`, `invalidBackup`; `SQLiteError` of the database.
    func run(into connection: SQLiteConnection) throws {
        guard try !SQLiteCatalog.hasRow("SELECT 1 FROM sqlite_schema", connection) else {
            throw CRUDRepositoryError.storeNotEmpty("SQLite")
        }
        let source = try opened()
        guard let copy = sqlite3_backup_init(connection.handle, "main", source.handle, "main")
        else { throw SQLiteError(connection.handle) }
        var result = SQLITE_OK
        while result == SQLITE_OK { result = sqlite3_backup_step(copy, -1) }
        let finished = sqlite3_backup_finish(copy)
        guard finished == SQLITE_OK else { throw SQLiteError(connection.handle) }
        guard result == SQLITE_DONE else {
            throw SQLiteError(code: result, message: String(cString: sqlite3_errstr(result)))
        }
    }

    /// Opens the backup without changing it, and checks its integrity.
    private func opened() throws -> SQLiteConnection {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw CRUDRepositoryError.invalidBackup(path, String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CRUDRepositoryError.invalidBackup(path, "it is no file")
        }
        do {
            // Nobody writes to a backup; with a log of its own it was used as a database.
            let isAlone = !FileManager.default.fileExists(atPath: path + "-wal")
            if isAlone { try requireWhole(Int(status.st_size)) }
            let source = try SQLiteConnection(
                .file(path, busyTimeout: .zero).withoutIdentity, .inspecting(isAlone: isAlone))
            if let problem = try source.integrityProblems(1).first {
                throw CRUDRepositoryError.invalidBackup(path, "it is damaged: \(problem)")
            }
            return source
        } catch let error as SQLiteError {
            throw CRUDRepositoryError.invalidBackup(
                path, error.message, underlyingError: error)
        }
    }

    /// Compares the size of the file with the number of its pages. SQLite opens a file that was cut
    /// at a page, and reads a very short one as an empty database.
    private func requireWhole(_ size: Int) throws {
        // A store without data.
        if size == 0 { return }
        let header = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 100) }
        guard let header, header.count == 100 else {
            throw CRUDRepositoryError.invalidBackup(path, "it is no database")
        }
        let number = { (range: Range<Int>) in header[range].reduce(0) { $0 << 8 | Int($1) } }
        // The greatest size of a page does not fit into its field.
        let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
        if size == pageSize * number(28..<32) { return }
        throw CRUDRepositoryError.invalidBackup(path, "it is no database, or not whole")
    }
}

extension SQLiteConnection {
    /// Returns the first problems that SQLite finds in the file; none if it is sound.
    ///
    /// - Parameter limit: the greatest number of problems.
    func integrityProblems(_ limit: Int) throws -> [String] {
        let statement = try SQLiteStatement(
            "PRAGMA integrity_check(\(limit))", on: handle, isKept: false)
        defer { statement.reset() }
        var problems: [String] = []
        while try statement.step() { problems.append(statement.text(at: 0) ?? "") }
        return problems == ["ok"] ? [] : problems
    }
}
