import Foundation

/// A temporary folder, removed with the object.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "wrapping-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// All files below the folder, also hidden ones.
    func files() throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .map { url.appending(path: $0) }
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == false }
    }

    /// The file of a record.
    func file(_ table: String, _ id: String) throws -> URL? {
        try files().first {
            $0.deletingLastPathComponent().lastPathComponent == table
                && $0.lastPathComponent.hasPrefix("item_\(id).")
        }
    }
}
