import Foundation

/// The public declarations of a module as lines of text.
struct PublicInterface: Equatable {
    let lines: [String]

    /// Takes the lines of a committed list.
    init(list: String) {
        lines = list.split(separator: "\n").map(String.init)
    }

    /// Takes the lines of the files that `swift-symbolgraph-extract` wrote: one for the module, and one for each module
    /// whose types it extends.
    init(graphs: [Data]) throws {
        var graph = SymbolGraph(symbols: [], relationships: [])
        for data in graphs {
            let part = try JSONDecoder().decode(SymbolGraph.self, from: data)
            graph.symbols += part.symbols
            graph.relationships += part.relationships
        }
        lines = graph.lines
    }

    /// The text of a list: a line for each declaration.
    var list: String { lines.map { $0 + "\n" }.joined() }

    /// The lines that are new since a list was recorded, with `+`, and those that are gone, with `-`, in one order.
    func differences(from recorded: PublicInterface) -> [String] {
        let (old, new) = (Set(recorded.lines), Set(lines))
        let changed =
            recorded.lines.filter { !new.contains($0) }.map { ("- ", $0) }
            + lines.filter { !old.contains($0) }.map { ("+ ", $0) }
        return changed.sorted { ($0.1, $1.0) < ($1.1, $0.0) }.map { $0.0 + $0.1 }
    }
}

extension PublicInterface {
    /// The tool failed.
    struct ExtractionFailure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of the build that the tests are from.
    private static let build = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// The tool that lists the symbols of a module: it lies beside the compiler.
    static let tool = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { URL(filePath: "\($0)/swift-symbolgraph-extract") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// Extracts the interface of a built module.
    ///
    /// - Parameters:
    ///   - module: its name.
    ///   - sources: the folder of the package's sources, which holds the maps of the C modules.
    ///   - tool: `swift-symbolgraph-extract`.
    init(of module: String, sources: URL, with tool: URL) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "PublicInterface-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = tool
        process.arguments = [
            "-module-name", module, "-I", Self.build.appending(path: "Modules").path,
            "-I", sources.appending(path: "CFileAccess/include").path,
            "-I", sources.appending(path: "CSQLite").path,
            "-I", sources.appending(path: "CZlib").path,
            "-I", sources.appending(path: "CPostgreSQL").path,
            // Where Debian has the headers of libpq.
            "-Xcc", "-I/usr/include/postgresql",
            // The folder of a build is named after its target.
            "-target", Self.build.deletingLastPathComponent().lastPathComponent,
            "-minimum-access-level", "public", "-skip-synthesized-members",
            "-emit-extension-block-symbols", "-output-dir", folder.path,
        ]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ExtractionFailure(description: String(decoding: output, as: UTF8.self))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try self.init(graphs: files.map { try Data(contentsOf: folder.appending(path: $0)) })
    }
}
