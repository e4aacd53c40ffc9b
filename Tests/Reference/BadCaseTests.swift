import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Each folder `bad/<case>` holds schemas with a mistake, and in `diagnostics.txt` what is said about
/// them, byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Bad schemas")
struct BadCaseTests {
    /// The names of the case folders, in order.
    static let cases = ReferenceFolder.cases(of: "bad")

    @Test("are refused as recorded", arguments: cases)
    func refused(name: String) throws {
        let folder = ReferenceFolder.root.appending(path: "bad/\(name)")
        let text = try Self.diagnostics(of: folder)
        let recorded = folder.appending(path: "diagnostics.txt")
        #expect(!text.isEmpty, "the case \(name) has no mistake")
        if ReferenceFolder.isRecording {
            try Data(text.utf8).write(to: recorded)
            return
        }
        let expected = try String(decoding: Data(contentsOf: recorded), as: UTF8.self)
        #expect(text == expected, "the case \(name):\n\(text)")
    }

    @Test("are at least two hundred")
    func count() {
        print("\(Self.cases.count) bad cases")
        #expect(Self.cases.count >= 200)
    }

    /// Everything that is said about the schemas of a case.
    private static func diagnostics(of folder: URL) throws -> String {
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        let versions = try ReferenceFolder.versions(in: folder)
        let found = diagnostics(files, settings, versions)
        let sources =
            (files + [settings].compactMap { $0 }).map {
                ($0.displayPath, SourceText(bytes: $0.bytes))
            } + versions.compactMap(\.source).map { ($0.path, SourceText(bytes: $0.bytes)) }
        let renderer = DiagnosticText(
            sources: Dictionary(sources, uniquingKeysWith: { first, _ in first }))
        return renderer.render(found)
    }

    /// The mistakes of a case.
    static func found(in path: String) throws -> [Diagnostic] {
        let folder = ReferenceFolder.root.appending(path: path)
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        return diagnostics(files, settings, try ReferenceFolder.versions(in: folder))
    }

    private static func diagnostics(
        _ files: [SchemaSource], _ settings: SchemaSource?, _ versions: [VersionFolderEntry]
    ) -> [Diagnostic] {
        let result = SchemaParser.parse(files: files, settings: settings)
        return result.diagnostics
            + Validator.validate(result.set, options: ValidationOptions(moduleName: "Reference"))
            + ReleasedVersions(versions, oldest: result.set.settings.oldest).diagnostics
    }
}
