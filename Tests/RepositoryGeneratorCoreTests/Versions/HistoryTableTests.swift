import Foundation
import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

@Suite("The tables in the history")
struct HistoryTableTests {
    private static let versions = [
        """
        entity: Book
        fields: { title: String, shelf: String }
        ---
        entity: Author
        fields: { name: String }
        ---
        entity: Old
        manage: false
        fields: { name: String }
        """,
        """
        entity: Volume
        renamedFrom: Book
        fields: { title: String, shelf: String }
        ---
        entity: Author
        fields: { name: String }
        ---
        entity: Old
        manage: false
        fields: { name: String, size: Int? }
        """,
        """
        entity: Volume
        fields: { title: String, shelf: String, pages: Int? }
        ---
        entity: Author
        fields: { name: String }
        """,
    ].map(parsed)

    private static func parsed(_ text: String) -> SchemaSet {
        let source = SchemaSource(path: "Book.yaml", bytes: Array(text.utf8))
        let (set, found) = SchemaParser.parse(files: [source], settings: nil)
        let problems = found + Validator.validate(set)
        #expect(problems.isEmpty, "\(problems.map(\.message))")
        return set
    }

    private static var history: SchemaHistory {
        VersionHistory(
            versions: versions.enumerated().map {
                .init(number: $0 + 3, hash: "\($0)", set: $1)
            }, present: versions[2], isReleased: true
        ).stored
    }

    @Test("are complete for the oldest version, and otherwise those that differ")
    func differences() {
        let tables = Self.history.versions.map { $0.tables?.map(\.name) }
        #expect(tables == [["authors", "books"], ["volumes"], ["volumes"]])
        #expect(Self.history.versions.map(\.removedTables) == [nil, ["books"], nil])
    }

    @Test("give the tables of each version, also from JSON")
    func tables() throws {
        let text = Self.history.textParts.joined()
        let history = try JSONDecoder().decode(SchemaHistory.self, from: Data(text.utf8))
        for (index, set) in Self.versions.enumerated() {
            #expect(
                history.tables(of: index + 3) == StoredTables.of(set, .columns).sortedTables)
        }
        #expect(history.tables(of: 2) == nil)
        #expect(history.tables(of: 6) == nil)
    }

    @Test("are missing in a history that an earlier generator wrote")
    func missing() throws {
        var history = Self.history
        for index in history.versions.indices {
            history.versions[index].tables = nil
            history.versions[index].removedTables = nil
        }
        let text = history.textParts.joined()
        #expect(!text.contains("\"tables\""))
        let read = try JSONDecoder().decode(SchemaHistory.self, from: Data(text.utf8))
        #expect(read == history)
        #expect(read.tables(of: 3) == nil)
    }
}
