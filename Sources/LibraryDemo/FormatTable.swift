import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite

/// Runs the steps of ``FourMethodDemo`` on every four-method repository and in every format.
///
/// The results are printed as a table.
enum FormatTable {
    private static let formats: [any DataTransformer] = [
        JSONDataTransformer(), XMLDataTransformer(), BinaryPropertyListDataTransformer(),
        CBORDataTransformer(),
    ]
    private static let formatNames = ["JSON", "XML", "binary plist", "CBOR"]

    /// Runs every combination and prints the table. Returns false if one of them failed.
    static func print(in folder: DemoFolder) async throws -> Bool {
        var failures: [String] = []
        Swift.print("   " + row("", formatNames))
        for (name, make) in repositories(in: folder) {
            var cells: [String] = []
            for (format, formatName) in zip(formats, formatNames) {
                do {
                    let repository = try make(format, formatName)
                    try await FourMethodDemo.run(over: repository) { _ in }
                    try await FourMethodDemo.runWithArray(over: repository)
                    cells.append("✓")
                } catch {
                    cells.append("✗")
                    failures.append("\(name), \(formatName): \(error)")
                }
            }
            Swift.print("   " + row(name, cells))
        }
        for failure in failures { Swift.print("   \(failure)") }
        return failures.isEmpty
    }

    private typealias Make = (any DataTransformer, String) throws -> any CRUDRepository

    private static func repositories(in folder: DemoFolder) -> [(String, Make)] {
        [
            ("memory", { _, _ in InMemoryRepository() }),
            (
                "UserDefaults",
                { format, name in
                    UserDefaultsRepository(
                        tableName: "clients in \(name)", suiteName: DemoFolder.suiteName,
                        dataTransformer: format)
                }
            ),
            (
                "files",
                { format, name in
                    FileSystemRepository(
                        directoryURL: folder.url.appending(path: "clients in \(name)"),
                        dataTransformer: format)
                }
            ),
            (
                "SQLite",
                { format, name in
                    SQLiteRepository(
                        tableName: "clients in \(name)",
                        path: folder.url.appending(path: "clients.sqlite").path,
                        dataTransformer: format)
                }
            ),
        ]
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        ([name] + cells).map { $0.padding(toLength: 14, withPad: " ", startingAt: 0) }.joined()
    }
}
