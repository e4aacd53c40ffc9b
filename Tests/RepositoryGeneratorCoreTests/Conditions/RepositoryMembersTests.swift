import Foundation
import Testing

@testable import RepositoryGeneratorCore

@Suite("The names that queries cannot have")
struct RepositoryMembersTests {
    private static let runtime = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/RepositoryRuntime").standardizedFileURL

    /// The names that the repositories' protocols and their extensions declare in a source of the runtime.
    private static func members(in source: String) -> Set<String> {
        var names: Set<String> = []
        let blocks = source.components(separatedBy: "\n}")
        for block in blocks {
            let head = /(extension|public protocol) (Entity|Readable|CRUD)Repository\b/
            guard block.firstMatch(of: head) != nil else { continue }
            for match in block.matches(
                of:
                    /\n    public (?:func|var) `?(\w+)/
            ) {
                names.insert(String(match.1))
            }
        }
        return names
    }

    @Test("are all those of the repositories' own methods")
    func names() throws {
        let enumerator = FileManager.default.enumerator(
            at: Self.runtime, includingPropertiesForKeys: nil)
        var found: Set<String> = []
        while let url = enumerator?.nextObject() as? URL {
            guard url.pathExtension == "swift" else { continue }
            found.formUnion(Self.members(in: try String(contentsOf: url, encoding: .utf8)))
        }
        #expect(found.isSuperset(of: ["fetch", "create", "find", "page"]))
        let missing = found.subtracting(RepositoryMembers.names)
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
