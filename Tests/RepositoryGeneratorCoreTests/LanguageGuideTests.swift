import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// What the documentation shows of the language is what the generator takes.
@Suite("The reference of the schema language")
struct LanguageGuideTests {
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(
            path: "../../Sources/repository-generator/Documentation.docc/SchemaLanguage.md")

    @Test func itsSchemasAreAccepted() throws {
        let text = try String(contentsOf: Self.guide.standardizedFileURL, encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```\n").first
        }
        try #require(blocks.count == 2)
        let schema = SchemaSource(path: "Book.yaml", bytes: Array(blocks[0].utf8))
        let settings = SchemaSource(path: "repositories.yaml", bytes: Array(blocks[1].utf8))
        let (set, diagnostics) = SchemaParser.parse(files: [schema], settings: settings)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
        #expect(set.declarations.count == 7)
        #expect(Validator.validate(set).isEmpty, "\(Validator.validate(set).map(\.message))")
    }
}
