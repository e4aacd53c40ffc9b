import Foundation

/// Where the workloads keep their files: beside the build, on the disk that is measured.
struct Scratch {
    let folder: URL

    init(_ folder: URL) throws {
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The path of a file that is not there yet.
    func file(_ name: String) -> String {
        folder.appendingPathComponent("\(UUID().uuidString)-\(name)").path
    }

    /// A new folder.
    func newFolder(_ name: String) throws -> URL {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        return url
    }

    /// Removes the folder.
    func remove() throws { try remove(folder) }

    /// Removes a folder of a store.
    func remove(_ folder: URL) throws {
        // A store of files still removes what a migration has replaced, after the call has
        // returned: an entry can vanish while the folder is being removed. With a million of them
        // that takes minutes.
        for _ in 0..<6_000 {
            do {
                return try FileManager.default.removeItem(at: folder)
            } catch {
                guard FileManager.default.fileExists(atPath: folder.path) else { return }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        try FileManager.default.removeItem(at: folder)
    }
}
