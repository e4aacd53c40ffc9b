import Foundation
import RepositorySchema
import Testing

@testable import RepositoryGeneratorCore

/// Relations beside what they are made of.
@Suite("Relations")
struct RelationTests {
    private static let schema = """
        entity: Playlist
        fields: { name: String }
        ---
        entity: Track
        fields: { name: String, playlist: { type: Playlist?, index: true } }
        """

    @Test("draw no lines: the references do")
    func diagram() {
        let plain = EntityDiagram(DiagramSets.set(Self.schema)).mermaid
        let relations = "fields: { name: String }\nrelations: { tracks: { of: Track, sort: name } }"
        let related = Self.schema.replacing(
            "fields: { name: String }\n", with: relations + "\n", maxReplacements: 1)
        #expect(EntityDiagram(DiagramSets.set(related)).mermaid == plain)
    }

    /// The members that the runtime gives every repository.
    @Test("cannot be called as a member of every repository")
    func members() throws {
        let runtime = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/RepositoryRuntime").standardizedFileURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: runtime.path)
            .filter { $0.contains(/\/(Entity|Readable)Repository/) && $0.hasSuffix(".swift") }
        #expect(paths.count > 5)
        var names: Set<Substring> = ["context", "findAll"]
        for path in paths {
            let text = try String(contentsOf: runtime.appending(path: path), encoding: .utf8)
            for part in text.split(
                separator: /extension (Entity|Readable)Repository/, omittingEmptySubsequences: false
            ).dropFirst() {
                let body = part.components(separatedBy: "\n}\n")[0]
                for match in body.matches(of: /\n    public (?:func|var) (\w+)/) {
                    names.insert(match.1)
                }
            }
        }
        #expect(Set(names.map(String.init)).subtracting(RepositoryMembers.names).isEmpty)
        #expect(names.count > 20)
    }
}
