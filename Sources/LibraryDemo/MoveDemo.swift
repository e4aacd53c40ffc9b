import Foundation
import Generated
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite

/// The part of the demo that copies a library from one store into another.
enum MoveDemo {
    /// Copies the library in files into a new SQLite database, and prints the report of the comparison.
    static func printReport(in folder: DemoFolder) async throws {
        let files = FileSystemStore(directory: folder.url.appending(path: "Library"))
        let sqlite = SQLiteStore(path: folder.url.appending(path: "Moved.sqlite").path)
        let report = try await Library.copy(from: files, to: sqlite)
        print(report)
    }
}
