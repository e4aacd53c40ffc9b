import Foundation
import Testing

/// The built program: arguments in, exit codes out.
@Suite("command line")
struct CommandLineTests {
    /// The program lies beside the tests that were built with it.
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "repository-generator")
    static let isBuilt = FileManager.default.isExecutableFile(atPath: program.path)

    func run(_ arguments: [String], in folder: URL) throws -> (Int32, String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Self.program
        process.currentDirectoryURL = folder
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CACHE_HOME": folder.path + "-cache"]) { $1 }
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test("exits with 0, 1, 2 and 3", .enabled(if: isBuilt))
    func exitCodes() throws {
        let shop = try Workshop([:])
        #expect(try run(["generate"], in: shop.root).0 == 3)
        #expect(try run(["init", "Library"], in: shop.root).0 == 0)
        #expect(try run(["check"], in: shop.root).0 == 0)
        try shop.edit("Generated/Note.generated.swift")
        #expect(try run(["check"], in: shop.root).0 == 1)
        let refused = try run(["generate"], in: shop.root)
        #expect(refused.0 == 1)
        #expect(
            refused.1.hasPrefix(
                "Generated/Note.generated.swift: error: the file was edited by hand\n"))
        #expect(
            try run(["generate", "--force"], in: shop.root) == (
                0, "wrote Generated/Note.generated.swift\n1 written, 0 deleted, 1 unchanged.\n"
            ))
        try shop.write("entity: Note\nfields: { x: Strng }\n", to: "Schemas/Note.yaml")
        let wrong = try run(["generate", "--diagnostics", "text"], in: shop.root)
        #expect(wrong.0 == 2)
        #expect(wrong.1.hasPrefix("Schemas/Note.yaml:2:14: error: "))
        for command in ["generate", "check"] {
            let lines = try run([command, "--diagnostics", "json"], in: shop.root)
            #expect(lines.0 == 2)
            #expect(lines.1.hasPrefix(#"{"file":"Schemas/Note.yaml","range":{"start":{"line":2,"#))
            let log = try run([command, "--diagnostics", "sarif"], in: shop.root)
            #expect(log.0 == 2)
            #expect(log.1.contains(#""uri": "Schemas/Note.yaml""#))
        }
    }

    @Test("prints the version that the changelog begins with", .enabled(if: isBuilt))
    func version() throws {
        let shop = try Workshop([:])
        let (status, output) = try run(["--version"], in: shop.root)
        #expect(status == 0)
        let changelog = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../CHANGELOG.md").standardizedFileURL
        let heading = try String(contentsOf: changelog, encoding: .utf8)
            .split(separator: "\n").first { $0.hasPrefix("## ") }
        let version = output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(heading?.contains(version) == true)
    }

    @Test("takes the folders and the module that it is told", .enabled(if: isBuilt))
    func options() throws {
        let shop = try Workshop([:])
        try shop.write("entity: Note\n", to: "Models/Note.yaml")
        let arguments = ["generate", "--schemas", "Models", "--output", "Out/Put"]
        #expect(try run(arguments, in: shop.root).0 == 0)
        #expect(try shop.text("Out/Put/Note.generated.swift").contains(" Models/Note.yaml."))
        #expect(try run(arguments + ["--module", "Note"], in: shop.root).0 == 2)
        #expect(try run(["generate", "--diagnostics", "xml"], in: shop.root).0 == 64)
    }
}
