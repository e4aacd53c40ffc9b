import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The corpus shows every key of the language, by the tables that the parser itself goes by: used as it should be, and in a
/// mistake that is about it.
@Suite("The keys of the language")
struct KeyCoverageTests {
    @Test("each stands in a good case")
    func good() throws {
        var missing = KeyUse.allNames
        for name in GoodCaseTests.cases {
            missing.subtract(try Self.uses(in: "good/\(name)").map(\.name))
        }
        print("\(KeyUse.allNames.count) keys in \(GoodCaseTests.cases.count) good cases")
        #expect(missing.sorted() == [])
    }

    @Test("each is what a bad case is about")
    func bad() throws {
        var missing = KeyUse.allNames
        for name in BadCaseTests.cases where !missing.isEmpty {
            let places = try BadCaseTests.found(in: "bad/\(name)").map(\.range)
            for use in try Self.uses(in: "bad/\(name)") where missing.contains(use.name) {
                if places.contains(where: { Self.isInside($0, use.range) }) {
                    missing.remove(use.name)
                }
            }
        }
        #expect(missing.sorted() == [])
    }

    @Test("are many, each of one owner")
    func names() {
        #expect(KeyUse.allNames.count > 90)
        #expect(KeyUse.allNames.isSuperset(of: ["an entity: table", "'storedAs': sqlite"]))
    }

    /// Whether a mistake begins at or behind a key and before the end of its value.
    private static func isInside(_ place: SourceRange, _ use: SourceRange) -> Bool {
        place.path == use.path && use.start <= place.start && place.start <= use.end
    }

    private static func uses(in path: String) throws -> [KeyUse] {
        let folder = ReferenceFolder.root.appending(path: path)
        let (files, settings) = try ReferenceFolder.sources(in: folder)
        return files.flatMap { KeyUse.uses(in: $0, isSettings: false) }
            + (settings.map { KeyUse.uses(in: $0, isSettings: true) } ?? [])
    }
}
