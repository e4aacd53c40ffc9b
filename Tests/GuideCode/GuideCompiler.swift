import Foundation

/// Compiles the code of pages with the modules of the build that the tests are from.
struct GuideCompiler {
    /// What the compiler found, or a tool that failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of the build that the tests are from.
    private static let build = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// The compiler in the search path.
    static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { URL(filePath: "\($0)/swiftc") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// What does not matter in an example.
    private static let harmless = [
        "was never used", "was never mutated", "was written to, but never read", "is unused",
        "no calls to throwing functions", "no 'async' operations occur", "unreachable",
        "never be executed",
    ]

    let compiler: URL
    let package: URL

    /// Compiles all blocks of pages as one module, and the manifests among them as another.
    ///
    /// - Throws: a ``Failure`` with the errors and warnings of the compiler.
    func compile(_ blocks: [GuideBlock]) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "GuideCode-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                print("\(folder.path) was not removed: \(error)")
            }
        }
        let guide = package.appending(path: "Tests/GuideCode")
        try run(
            Self.build.appending(path: "repository-generator"),
            [
                "generate", "--schemas", guide.appending(path: "Schemas").path,
                "--output", folder.appending(path: "Generated").path,
            ])
        var files = try FileManager.default
            .contentsOfDirectory(atPath: folder.appending(path: "Generated").path)
            .filter { $0.hasSuffix(".swift") }
            .map { folder.appending(path: "Generated/\($0)").path }
        files.append(guide.appending(path: "Prelude/Prelude.swift").path)
        var manifests: [String] = []
        for (page, blocks) in Dictionary(grouping: blocks, by: \.page) {
            let source = GuideSource(page: page, blocks)
            let file = folder.appending(path: "\(source.name).swift")
            try source.text.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
            let manifest = folder.appending(path: "\(source.name)_manifests.swift")
            try source.manifest.write(to: manifest, atomically: true, encoding: .utf8)
            manifests.append(manifest.path)
        }
        let library = compiler.resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../lib/swift").standardizedFileURL
        let sources = package.appending(path: "Sources")
        try typeCheck(
            files,
            [
                "-I", Self.build.appending(path: "Modules").path,
                "-I", sources.appending(path: "CFileAccess/include").path,
                "-I", sources.appending(path: "CSQLite").path,
                "-I", sources.appending(path: "CZlib").path,
                "-I", sources.appending(path: "CPostgreSQL").path,
                "-Xcc", "-I/usr/include/postgresql",
                "-plugin-path", library.appending(path: "host/plugins/testing").path,
            ])
        try typeCheck(
            manifests,
            [
                "-I", library.appending(path: "pm/ManifestAPI").path,
                "-package-description-version", "6.2",
            ])
    }

    private func typeCheck(_ files: [String], _ arguments: [String]) throws {
        let (status, output) = try finish(
            compiler,
            [
                "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "Guides",
                "-diagnostic-style", "llvm", "-no-color-diagnostics",
            ] + arguments + files.sorted())
        let problems = output.split(separator: "\n").filter { line in
            line.contains(": error: ")
                || line.contains(": warning: ") && !Self.harmless.contains { line.contains($0) }
        }
        guard problems.isEmpty else {
            throw Failure(description: problems.joined(separator: "\n"))
        }
        guard status == 0 else { throw Failure(description: output) }
    }

    /// Runs a tool that has to succeed.
    private func run(_ tool: URL, _ arguments: [String]) throws {
        let (status, output) = try finish(tool, arguments)
        guard status == 0 else { throw Failure(description: output) }
    }

    /// Runs a tool and returns its status and what it printed.
    private func finish(_ tool: URL, _ arguments: [String]) throws -> (Int32, String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = package
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
