internal import Foundation
internal import RepositoryRuntime

/// The database that a store opens, with the options of its connections.
struct SQLiteLocation: Sendable {
    /// The name that is passed to `sqlite3_open_v2`.
    let name: String
    /// The time to wait for a lock of another process, in milliseconds.
    let busyTimeout: Int32
    /// The time that an operation waits for the store's other operations while none of them makes
    /// progress. It is long, because scans of large tables and transactions with other work in
    /// between are legitimate.
    var turnLimit: Duration = .seconds(600)
    /// The time that a write or a transaction waits for other writers of the store; `nil` for
    /// ``turnLimit``.
    var writerTimeout: Duration?
    /// Whether the database is in memory, and is deleted with its only connection.
    let isInMemory: Bool
    /// Whether the folder of the file is created if it does not exist.
    private let makesFolder: Bool
    /// The files that all connections of the store share; `nil` for a database in memory.
    private(set) var file: SQLiteFile?
    /// The name of the SQLite VFS; `nil` for the default one.
    var fileSystem: String?
    /// The function that receives each statement after it has run.
    var trace: (@Sendable (SQLiteTracedStatement) -> Void)?
    /// Encrypts the fields that schemas declare to be encrypted.
    var encryption: (any FieldCipher)?

    /// Returns the location of a new database in memory.
    static func inMemory() -> SQLiteLocation {
        SQLiteLocation(name: ":memory:", busyTimeout: 0, isInMemory: true, makesFolder: false)
    }

    /// Returns the location of a database file.
    ///
    /// - Parameters:
    ///   - path: the path; relative paths start at the working directory.
    ///   - busyTimeout: the time to wait for a lock of another process. ``turnLimit`` is at least
    ///     as long.
    ///   - makesFolder: whether the folder of the file is created if it does not exist.
    static func file(
        _ path: String, busyTimeout: Duration, makesFolder: Bool = false
    ) -> SQLiteLocation {
        // SQLite does not treat `:memory:`, the empty name and, if compiled so, `file:…` as the
        // name of a file.
        let name = path.hasPrefix("/") ? path : "./\(path)"
        let (seconds, attoseconds) = busyTimeout.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        let total =
            milliseconds.overflow
            ? Int32.max
            : Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000)
        var location = SQLiteLocation(
            name: name, busyTimeout: max(0, total), isInMemory: false, makesFolder: makesFolder)
        location.file = SQLiteFile()
        location.turnLimit = max(location.turnLimit, .milliseconds(Int(location.busyTimeout)))
        return location
    }

    /// The same location for a connection that is none of the store's.
    var withoutIdentity: SQLiteLocation {
        var location = self
        location.file = nil
        return location
    }

    /// Checks that the name does not contain U+0000.
    ///
    /// SQLite would end the name at that character and open another file.
    ///
    /// - Throws: `unsupported`.
    func checkName() throws {
        guard !name.utf8.contains(0) else {
            throw CRUDRepositoryError.unsupported(
                "the character U+0000 in the path of a database", by: "SQLite")
        }
    }

    /// The name as a URI, with which SQLite opens a file that nobody else has open. It takes no
    /// locks and creates no files.
    var immutableURI: String {
        let allowed = Set("/-._~".utf8)
        let path = name.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || allowed.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%\(digits.count == 1 ? "0" : "")\(digits)"
        }
        return "file:\(path.joined())?immutable=1"
    }

    /// Creates the folder of the file, if the location asks for it.
    ///
    /// - Throws: `databaseError`.
    func makeFolder() throws {
        guard makesFolder else { return }
        let folder = URL(fileURLWithPath: name).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The folder '\(folder.path)' cannot be made.",
                underlyingError: error)
        }
    }
}
