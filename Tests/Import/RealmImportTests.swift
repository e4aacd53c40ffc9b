import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The schemas that the Realm files of `Tests/RealmFormat` give, byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Imported Realm files")
struct RealmImportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    private static let files = root.deletingLastPathComponent()
        .appending(path: "RealmFormat/Files")

    static let names = [
        "10-ios-alltypes", "20-migration-v5", "22-dictionary-and-set", "24-all-types", "24-nested",
        "3-ios-alltypes", "9-java-string-primary-key", "10-ios-alltypes-encrypted",
    ]

    @Test("give the recorded schemas and report, which generate", arguments: names)
    func recorded(name: String) throws {
        let path = Self.files.appending(path: "\(name).realm").path
        let key = name.hasSuffix("encrypted") ? [UInt8](repeating: 1, count: 64) : nil
        let found = try DatabaseImport(realm: path, key: key)
        let sources = found.files.map {
            SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
        }
        let (set, problems) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        #expect(problems.map(\.message) == [])
        #expect(Validator.validate(set).map(\.message) == [])
        var files = Dictionary(uniqueKeysWithValues: found.files.map { ($0.path, $0.text) })
        files["report.txt"] = found.report.joined(separator: "\n") + "\n"
        let expected = Self.root.appending(path: "Realm/\(name)")
        if Corpus.isRecording {
            try? FileManager.default.removeItem(at: expected)
            try FileManager.default.createDirectory(
                at: expected, withIntermediateDirectories: true)
            for (path, text) in files {
                try Data(text.utf8).write(to: expected.appending(path: path))
            }
            return
        }
        for (path, text) in files {
            let recorded = try String(contentsOf: expected.appending(path: path), encoding: .utf8)
            #expect(recorded == text, "\(name)/\(path)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: expected.path)
        #expect(Set(names) == Set(files.keys))
    }

    @Test("are refused where they are damaged")
    func damaged() {
        let path = Self.files.appending(path: "hostile-mixed-place.realm").path
        #expect(throws: ImportProblem.self) { try DatabaseImport(realm: path) }
    }
}
