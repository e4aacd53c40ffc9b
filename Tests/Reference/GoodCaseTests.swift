import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Each folder `good/<case>` holds schemas, and in `expected/` what they generate, byte for byte.
/// `Tests/Consumers/compile-corpus.sh` compiles all of it.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Good schemas")
struct GoodCaseTests {
    /// The names of the case folders, in order.
    static let cases = ReferenceFolder.cases(of: "good")

    @Test("generate as recorded", arguments: cases)
    func generated(name: String) throws {
        let folder = ReferenceFolder.root.appending(path: "good/\(name)")
        let files = try Self.output(of: folder)
        let expected = folder.appending(path: "expected")
        if ReferenceFolder.isRecording {
            try? FileManager.default.removeItem(at: expected)
            for file in files { try Self.write(file, below: expected) }
            return
        }
        for file in files {
            let recorded = try String(
                contentsOf: expected.appending(path: file.path), encoding: .utf8)
            #expect(recorded == file.text, "\(name)/expected/\(file.path)")
        }
        let recorded = try FileManager.default.subpathsOfDirectory(atPath: expected.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(Set(recorded) == Set(files.map(\.path)), "the files of \(name)")
    }

    @Test("are at least a hundred and twenty-five")
    func count() {
        print("\(Self.cases.count) good cases")
        #expect(Self.cases.count >= 125)
    }

    @Test("generate what swift format leaves as it is")
    func formatted() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "formatted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var texts: [String: String] = [:]
        for name in Self.cases {
            for file in try Self.output(of: ReferenceFolder.root.appending(path: "good/\(name)")) {
                // Without the line that asks the formatter to look away.
                let ignore = "// swift-format-ignore-file\n"
                #expect(file.text.hasPrefix(ignore))
                let bare = OutputFile(
                    path: "\(name)/\(file.path)", text: String(file.text.dropFirst(ignore.count)))
                try Self.write(bare, below: folder)
                texts[bare.path] = bare.text
            }
        }
        let settings = ReferenceFolder.root.appending(path: "../../.swift-format").path
        try Self.format(["lint", "--strict", "--configuration", settings, "-r", folder.path])
        try Self.format(["-i", "--configuration", settings, "-r", folder.path])
        for (path, text) in texts {
            let formatted = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(formatted == text, "\(path)")
        }
    }

    private static func format(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "format"] + arguments
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "swift format \(arguments[0])")
    }

    private static func output(of folder: URL) throws -> [OutputFile] {
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        let (set, diagnostics) = SchemaParser.parse(files: files, settings: settings)
        let found =
            diagnostics + Validator.validate(set, options: ValidationOptions(moduleName: nil))
        #expect(found.isEmpty, "\(folder.lastPathComponent): \(found.map(\.message))")
        let versions = ReleasedVersions(
            try ReferenceFolder.versions(in: folder), oldest: set.settings.oldest)
        #expect(versions.diagnostics.map(\.message) == [])
        return try RepositoryGenerator.render(set)
    }

    private static func write(_ file: OutputFile, below folder: URL) throws {
        let url = folder.appending(path: file.path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url)
    }
}
