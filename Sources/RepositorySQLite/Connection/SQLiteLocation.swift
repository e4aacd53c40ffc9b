internal import Foundation
internal import RepositoryRuntime

/// Which database a connection opens.
struct SQLiteLocation: Sendable {
    /// The name SQLite is given.
    let name: String
    /// Milliseconds to wait for another process's lock.
    let busyTimeout: Int32
    /// Whether the database lives and dies with its one connection.
    let isInMemory: Bool
    /// Whether the folder of the file is made when it is not there.
    private let makesFolder: Bool
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
        return SQLiteLocation(
            name: name, busyTimeout: max(0, total), isInMemory: false, makesFolder: makesFolder)
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
