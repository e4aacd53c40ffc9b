import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Each folder `warned/<case>` holds schemas that are right and odd, and in `warnings.txt` what is said about them,
/// byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Odd schemas")
struct WarnedCaseTests {
    /// The names of the case folders, in order.
    static let cases = ReferenceFolder.cases(of: "warned")

    /// What is odd about schemas in which nothing is wrong, as text.
    private static func warnings(
        _ files: [SchemaSource], _ settings: SchemaSource?
    ) -> (text: String, warnings: [Diagnostic]) {
        let (set, found) = SchemaParser.parse(files: files, settings: settings)
        let problems =
            found + Validator.validate(set, options: ValidationOptions(moduleName: "Reference"))
        #expect(problems.isEmpty, "\(problems.map(\.message))")
        let warnings = Linter.warnings(of: set)
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.rule.severity == .warning })
        #expect(warnings.allSatisfy { $0.help != nil })
        let sources = (files + [settings].compactMap { $0 }).map {
            ($0.displayPath, SourceText(bytes: $0.bytes))
        }
        let renderer = DiagnosticText(
            sources: Dictionary(sources, uniquingKeysWith: { first, _ in first }))
        return (renderer.render(warnings), warnings)
    }

    @Test("are warned of as recorded", arguments: cases)
    func warned(name: String) throws {
        let folder = ReferenceFolder.root.appending(path: "warned/\(name)")
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        let text = Self.warnings(files, settings).text
        #expect(!text.isEmpty, "nothing is odd about the case \(name)")
        let recorded = folder.appending(path: "warnings.txt")
        if ReferenceFolder.isRecording {
            try Data(text.utf8).write(to: recorded)
            return
        }
        let expected = try String(decoding: Data(contentsOf: recorded), as: UTF8.self)
        #expect(text == expected, "the case \(name):\n\(text)")
    }

    @Test("show each kind of warning")
    func rules() throws {
        var seen: Set<Diagnostic.Rule> = []
        for name in Self.cases {
            let folder = ReferenceFolder.root.appending(path: "warned/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            seen.formUnion(Self.warnings(files, settings).warnings.map(\.rule))
        }
        // Names are unknown in templates, and changes need versions, which no case has.
        let rules = Diagnostic.Rule.allCases.filter { $0.severity == .warning }
        #expect(seen == Set(rules).subtracting([.unknownName, .dependsOnData, .unusedDecision]))
    }

    @Test(
        "are none of this package's own",
        arguments: [
            "Schemas", "Sources/RepositoryTesting/Schemas", "Tests/MusicStore/Schemas",
            "Tests/Benchmarks/Sources/Benchmarks/Schemas",
            "Tests/Downstream/Sources/Notebook/Schemas",
        ])
    func own(path: String) throws {
        let schemas = ReferenceFolder.root.appending(path: "../../\(path)").standardizedFileURL
        let (files, settings) = try ReferenceFolder.sources(
            in: schemas.deletingLastPathComponent())
        #expect(!files.isEmpty)
        #expect(Self.warnings(files, settings).text == "")
    }
}
