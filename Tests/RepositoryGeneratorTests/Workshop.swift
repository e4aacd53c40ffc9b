import Foundation
import Synchronization

@testable import repository_generator

/// A temporary folder with schemas, and the tool in it.
final class Workshop: Sendable {
    let root: URL
    private let printed = Mutex<[String]>([])
    private let problems = Mutex<[String]>([])

    init(_ schemas: [String: String] = ["Note.yaml": "entity: Note\nfields: { text: String }\n"])
        throws
    {
        root = FileManager.default.temporaryDirectory
            .appending(path: "workshop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (name, text) in schemas { try write(text, to: "Schemas/\(name)") }
    }

    deinit {
        for folder in [root, cache] { try? FileManager.default.removeItem(at: folder) }
    }

    /// Where runs are remembered: beside the folder, which holds nothing but what the tool writes for its user.
    var cache: URL {
        root.deletingLastPathComponent().appending(path: root.lastPathComponent + "-cache")
    }

    /// Everything printed so far, results and problems apart.
    var output: String { printed.withLock { $0.joined(separator: "\n") } }
    var complaints: String { problems.withLock { $0.joined(separator: "\n") } }

    func forget() {
        printed.withLock { $0 = [] }
        problems.withLock { $0 = [] }
    }

    var locations: Locations {
        Locations(schemas: root.appending(path: "Schemas").path, output: nil, module: nil)
    }

    /// The tool in the folder, or anywhere.
    func tool(printing format: DiagnosticsFormat = .text) -> Tool {
        Tool(
            out: { line in self.printed.withLock { $0.append(line) } },
            problem: { line in self.problems.withLock { $0.append(line) } }, format: format,
            cacheFolder: { [cache] _ in cache.path })
    }

    func generate(force: Bool = false) -> ExitStatus { tool().generate(locations, force: force) }
    func check(released: Bool = false) -> ExitStatus {
        tool().check(locations, released: released)
    }
    func release() -> ExitStatus { tool().release(locations) }
    func scaffold(_ name: String) -> ExitStatus { tool().scaffold(name, at: locations) }

    func write(_ text: String, to path: String) throws {
        let url = root.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: root.appending(path: path))
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Adds a line to a file, as an editor would.
    func edit(_ path: String, adding line: String = "// by hand\n") throws {
        try write(try text(path) + line, to: path)
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// All files below the folder with their bytes and the moment of their last change.
    func snapshot() throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let url = root.appending(path: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let date = attributes[.modificationDate] as? Date
            let inode = attributes[.systemFileNumber] as? Int
            files[path] = "\(date?.timeIntervalSinceReferenceDate ?? 0) \(inode ?? 0)"
        }
        return files
    }
}
