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
        let (last, others) = (try #require(blocks.last), blocks.dropLast())
        let settings = SchemaSource(path: "repositories.yaml", bytes: Array(last.utf8))
        // The decisions of the settings are about entities that only a version had.
        let schemas = others.filter { !$0.hasPrefix("removed:") }
        for block in others where block.hasPrefix("removed:") {
            let settings = SchemaSource(path: "repositories.yaml", bytes: Array(block.utf8))
            #expect(SchemaParser.parse(files: [], settings: settings).diagnostics.isEmpty)
        }
        #expect(schemas.count == others.count - 1)
        var counts: [Int] = []
        for block in schemas {
            let schema = SchemaSource(path: "Book.yaml", bytes: Array(block.utf8))
            let (set, diagnostics) = SchemaParser.parse(files: [schema], settings: settings)
            #expect(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
            counts.append(set.declarations.count)
            #expect(Validator.validate(set).isEmpty, "\(Validator.validate(set).map(\.message))")
        }
        #expect(counts == [7, 1, 1, 1, 1, 4, 1, 1, 1, 3, 5, 1, 3, 4])
    }
}
