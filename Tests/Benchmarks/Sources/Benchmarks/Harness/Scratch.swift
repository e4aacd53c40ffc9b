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

    func remove() throws { try FileManager.default.removeItem(at: folder) }
}
