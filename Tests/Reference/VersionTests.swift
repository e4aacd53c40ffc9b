import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The good schemas as released versions.
@Suite("Versions of good schemas")
struct VersionTests {
    /// The normal form of a good case.
    static func schema(of name: String) throws -> NormalizedSchema {
        let folder = ReferenceFolder.root.appending(path: "good/\(name)")
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        return NormalizedSchema(SchemaParser.parse(files: files, settings: settings).set)
    }

    /// The set in a version file, with the settings of the present if there are some.
    private static func read(
        _ text: String, _ settings: SchemaSource? = nil
    ) -> (set: SchemaSet, problems: [String]) {
        let source = SchemaSource(path: "Versions/0001.yaml", bytes: Array(text.utf8))
        var (set, found) = SchemaParser.parse(version: source)
        if let settings {
            // The decisions are those of the version file.
            var present = SchemaParser.parse(files: [], settings: settings).set.settings
            present.removed = set.settings.removed
            present.reuse = set.settings.reuse
            present.migrate = set.settings.migrate
            set.settings = present
        }
        return (set, found.map(\.message))
    }

    @Test("are read as the same version", arguments: GoodCaseTests.cases)
    func idempotent(name: String) throws {
        let schema = try Self.schema(of: name)
        let (set, problems) = Self.read(VersionFile.text(of: schema))
        #expect(problems == [])
        let again = NormalizedSchema(set)
        #expect(Array(again.text.utf8) == Array(schema.text.utf8), "\(again.text)")
        #expect(again.differences(from: schema).isEmpty)
        #expect(schema.differences(from: again).isEmpty)
    }

    @Test("are valid schemas by themselves", arguments: GoodCaseTests.cases)
    func valid(name: String) throws {
        let folder = ReferenceFolder.root.appending(path: "good/\(name)")
        let settings = try ReferenceFolder.sources(in: folder).settings
        let schema = try Self.schema(of: name)
        let (set, _) = Self.read(VersionFile.text(of: schema), settings)
        #expect(Validator.validate(set).map(\.message) == [])
        // The settings add nothing to what is spelt out, but `manage` means every entity.
        if !set.settings.manage { return }
        #expect(Array(NormalizedSchema(set).text.utf8) == Array(schema.text.utf8))
    }

    @Test("do not depend on the order of the files")
    func order() throws {
        for name in GoodCaseTests.cases {
            let folder = ReferenceFolder.root.appending(path: "good/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            let renamed = files.reversed().enumerated().map { index, file in
                SchemaSource(path: "\(index)-\(UUID().uuidString).yaml", bytes: file.bytes)
            }
            let set = SchemaParser.parse(files: renamed, settings: settings).set
            #expect(NormalizedSchema(set).text == (try Self.schema(of: name)).text, "\(name)")
        }
    }

    @Test("hold no documentation, queries and relations")
    func content() throws {
        let keys = ["doc", "deprecated", "queries", "relations", "include", "conformances"]
        for name in GoodCaseTests.cases {
            for line in try Self.schema(of: name).text.split(separator: "\n") {
                for key in keys {
                    #expect(!line.hasPrefix("\(key):"), "\(name): \(line)")
                }
                #expect(!line.hasPrefix("mixin:"))
            }
        }
    }

    @Test("differ exactly if their texts do")
    func differences() throws {
        let schemas = try GoodCaseTests.cases.map { try Self.schema(of: $0).withoutDecisions }
        var count = 0
        for (index, schema) in schemas.enumerated() {
            for other in schemas.dropFirst(index).prefix(40) {
                let isSame = schema.text.utf8.elementsEqual(other.text.utf8)
                #expect(schema.differences(from: other).isEmpty == isSame)
                #expect(other.differences(from: schema).isEmpty == isSame)
                count += 1
            }
        }
        print("\(count) pairs of versions compared")
    }
}
