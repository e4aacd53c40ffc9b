import Foundation

/// Where the data that tests share lies.
enum TestData {
    /// A folder of the shared data; nil where there is none, and then tests say that they were skipped.
    static func folder(_ name: String) -> URL? {
        let root: URL
        if let path = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"] {
            root = URL(fileURLWithPath: path)
        } else {
            root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("../shared/data")
        }
        let folder = root.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
