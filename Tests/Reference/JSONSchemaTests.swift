import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The JSON Schema of the language against the whole corpus, judged by Python's `jsonschema`.
@Suite("The JSON Schema")
struct JSONSchemaTests {
    /// Bad cases of shape that a JSON Schema cannot refuse, and why.
    private static let beyond = [
        "kind-not-first": "the order of keys",
        "settings-in-a-schema": "which file a document stands in",
        "settings-two-documents": "how many documents a file has",
    ]

    /// The Python that was named for the tests: it must have the modules that the script needs.
    private static let namedPython = ProcessInfo.processInfo.environment["REPOSITORY_PYTHON"]

    /// That one, or another that has the modules; nil where there is none, and the tests are skipped.
    private static let python: String? = {
        if let namedPython { return namedPython }
        let found = try? run("python3", ["-c", probe], input: "").0 == 0
        return found == true ? "python3" : nil
    }()

    private static let probe = "import jsonschema, yaml; yaml.CSafeLoader"

    private static func run(
        _ python: String, _ arguments: [String], input: String
    ) throws -> (Int32, [Substring]) {
        // What is read comes from a file: a pipe could fill up while nobody empties the other one.
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "json-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "input")
        try Data(input.utf8).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return (process.terminationStatus, lines)
    }

    /// What the script says of each file.
    private static func verdicts(_ paths: [String]) throws -> [Substring] {
        let python = try #require(Self.python)
        let schema = FileManager.default.temporaryDirectory
            .appending(path: "language-\(UUID().uuidString).json")
        try Data(SchemaLanguage.jsonSchema.indentedText.utf8).write(to: schema)
        defer { try? FileManager.default.removeItem(at: schema) }
        let script = ReferenceFolder.root.appending(path: "check-json-schema.py").path
        let input = paths.map { $0 + "\n" }.joined()
        let (found, _) = try run(python, ["-c", probe], input: "")
        try #require(found == 0, "\(python) lacks jsonschema or PyYAML with libyaml")
        let (status, lines) = try run(python, [script, schema.path], input: input)
        #expect(status == 0)
        #expect(lines.count == paths.count)
        return lines
    }

    private static func path(of source: SchemaSource, in folder: URL) -> String {
        folder.appending(path: source.displayPath).path
    }

    @Test("takes every file of the good cases", .enabled(if: python != nil, "no jsonschema"))
    func good() throws {
        var paths: [String] = []
        for name in GoodCaseTests.cases {
            let folder = ReferenceFolder.root.appending(path: "good/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            paths += (files + [settings].compactMap { $0 }).map { Self.path(of: $0, in: folder) }
        }
        let verdicts = try Self.verdicts(paths)
        for (path, verdict) in zip(paths, verdicts) { #expect(verdict == "good", "\(path)") }
        print("\(paths.count) files of \(GoodCaseTests.cases.count) good cases taken")
    }

    @Test("takes the version of every good case", .enabled(if: python != nil, "no jsonschema"))
    func versions() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try GoodCaseTests.cases.map { name in
            let path = folder.appending(path: "\(name).yaml")
            try Data(VersionFile.text(of: try VersionTests.schema(of: name)).utf8).write(to: path)
            return path.path
        }
        for (path, verdict) in zip(paths, try Self.verdicts(paths)) {
            #expect(verdict == "good", "\(path): \(verdict)")
        }
    }

    @Test(
        "refuses every file with a mistake of shape", .enabled(if: python != nil, "no jsonschema"))
    func bad() throws {
        var cases: [(name: String, path: String)] = []
        for name in BadCaseTests.cases where Self.beyond[name] == nil {
            let folder = ReferenceFolder.root.appending(path: "bad/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            let found = SchemaParser.parse(files: files, settings: settings).diagnostics
            for source in files + [settings].compactMap({ $0 }) {
                guard found.contains(where: { Self.isOfShape($0, in: source) }) else { continue }
                cases.append((name: name, path: Self.path(of: source, in: folder)))
            }
        }
        let verdicts = try Self.verdicts(cases.map(\.path))
        for (one, verdict) in zip(cases, verdicts) {
            #expect(verdict.hasPrefix("bad "), "\(one.name)")
        }
        let count = Set(cases.map(\.name)).count
        print("\(cases.count) files of \(count) bad cases of shape refused")
        #expect(count >= 60)
        #expect(Self.beyond.keys.allSatisfy { BadCaseTests.cases.contains($0) })
    }

    private static func isOfShape(_ diagnostic: Diagnostic, in source: SchemaSource) -> Bool {
        diagnostic.rule == .shape && diagnostic.range.path == source.displayPath
    }

    @Test("describes each key, and refers to definitions that are there")
    func definitions() throws {
        let text = SchemaLanguage.jsonSchema.text
        #expect(text == SchemaLanguage.jsonSchema.text)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let root = try #require(value as? [String: Any])
        #expect(root["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        let definitions = try #require(root["$defs"] as? [String: [String: Any]])
        for match in text.matches(of: /"#\/\$defs\/([a-zA-Z-]+)"/) {
            #expect(definitions[String(match.1)] != nil, "\(match.1)")
        }
        for (name, definition) in definitions {
            for (key, property) in definition["properties"] as? [String: [String: Any]] ?? [:] {
                #expect(property["description"] is String, "\(name).\(key)")
            }
        }
        let entity = try #require(definitions["entity"])
        #expect(entity["required"] as? [String] == ["entity"])
        #expect(entity["additionalProperties"] as? Bool == false)
    }
}
