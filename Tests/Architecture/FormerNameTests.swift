import Foundation
import Testing

/// Stored tables and fields are found by the steps of the migration, not by the names that the
/// present declaration says they had: those may have gone, or be the names of others.
@Suite("Former names of tables and fields")
struct FormerNameTests {
    /// The files of the libraries that mention declared former names, and what for.
    private static let places = [
        // The one comparison of stored tables with declared ones, from which the steps follow.
        "StoredSchema/Comparison/FieldMatching.swift",
        "StoredSchema/Comparison/TableComparison.swift",
        "StoredSchema/Comparison/TableComparison+Fields.swift",
        // Which stored tables a set compares itself with.
        "RepositoryRuntime/SchemaOpening/SchemaOpening.swift",
        // Descriptions.
        "StoredSchema/Description/StoredShape.swift",
        "StoredSchema/Description/StoredTable.swift",
        "RepositoryRuntime/Mapping/FieldLayout.swift",
        "RepositoryRuntime/Migration/StoredRow.swift",
        "RepositoryRuntime/Migration/StoredType+Shape.swift",
        "RepositoryRuntime/SchemaOpening/DeclaredSchema+Tables.swift",
        "RepositoryRuntime/Stores/Documents/EarlierRecord.swift",
        "RepositoryRuntime/Tables/EntityTable.swift",
        "RepositoryRuntime/Tables/EntityTableContents.swift",
        // The members of one document or embedded value, which was written before a rename.
        "RepositoryRuntime/Mapping/Codable/CodableFieldDecoder.swift",
        "RepositoryRuntime/SchemaOpening/MemberCompletion.swift",
        "RepositoryRuntime/Stores/Documents/FillReadings.swift",
        "RepositoryRuntime/Transformers/Streaming/DocumentDecoderState.swift",
        // Whether such members can be found by SQL or by an index.
        "RepositoryRuntime/Query/Planning/EntityTable+Suggestions.swift",
        "RepositorySQLCore/Statements/SQLOperand.swift",
    ]

    private static let modules = [
        "StoredSchema", "RepositoryRuntime", "RepositorySQL", "RepositorySQLCore",
        "RepositorySQLite", "RepositoryPostgreSQL",
    ]

    @Test("are resolved in one place")
    func places() throws {
        let sources = FolderTests.package.appending(path: "Sources")
        var found: Set<String> = []
        for module in Self.modules {
            let files = FileManager.default.enumerator(
                at: sources.appending(path: module), includingPropertiesForKeys: nil)
            for case let url as URL in try #require(files) where url.pathExtension == "swift" {
                let tokens = SwiftTokens(try String(contentsOf: url, encoding: .utf8)).tokens
                let first = tokens.first {
                    ["renamedFrom", "columnsRenamedFrom"].contains($0.text)
                }
                let path = String(url.path.dropFirst(sources.path.count + 1))
                guard let first else { continue }
                found.insert(path)
                if Self.places.contains(path) { continue }
                Issue.record(
                    """
                    \(path):\(first.line) resolves a declared former name; use keptFields, \
                    renamedTables or matched of SchemaOpening
                    """
                )
            }
        }
        #expect(Set(Self.places).subtracting(found).isEmpty)
    }
}
