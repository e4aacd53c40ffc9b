internal import Foundation
internal import RepositoryRuntime

/// Which database a connection opens.
struct SQLiteLocation: Sendable {
    /// The name SQLite is given.
    let name: String
    /// Milliseconds to wait for another process's lock.
    let busyTimeout: Int32
    /// How long an operation waits for the store's other operations while none of them makes
    /// progress. It is long, because scans of large tables and transactions with other work in
    /// between are legitimate.
    var turnLimit: Duration = .seconds(60)
    /// Whether the database lives and dies with its one connection.
    let isInMemory: Bool
    /// Whether the folder of the file is made when it is not there.
    private let makesFolder: Bool
    /// The files that all connections of the store share; nil in memory.
    private(set) var file: SQLiteFile?
    /// SQLite's file system, by its name; nil for the one it uses otherwise.
    var fileSystem: String?
    /// Who is told of each statement.
    var trace: (@Sendable (SQLiteTracedStatement) -> Void)?

    static func inMemory() -> SQLiteLocation {
        SQLiteLocation(name: ":memory:", busyTimeout: 0, isInMemory: true, makesFolder: false)
    }

    static func file(
        _ path: String, busyTimeout: Duration, makesFolder: Bool = false
    ) -> SQLiteLocation {
        // SQLite takes `:memory:`, the empty name and, built so, `file:…` for something else than a
        // file of that name.
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

    /// Checks that SQLite can be given the name: to SQLite a name ends at U+0000, so that it would
    /// open another file.
    ///
    /// - Throws: `unsupported`.
    func checkName() throws {
        guard !name.utf8.contains(0) else {
            throw CRUDRepositoryError.unsupported(
                "the character U+0000 in the path of a database", by: "SQLite")
        }
    }

    /// Makes the folder of the file, where that is asked for.
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
