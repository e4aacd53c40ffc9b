import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryGeneratorCore

@Suite("Large sets", .serialized)
struct LargeSetTests {
    @Test("eight hundred entities that refer to each other are without a mistake")
    func largeSet() {
        expectNoMistake(inEntities: 800)
    }

    @Test("ten thousand unknown types are all reported, in one run")
    func unknownTypes() {
        let fields = (0..<10_000).map { "  f\($0): Gone\($0)\n" }.joined()
        let text = "entity: Book\nfields:\n" + fields
        let set = SchemaParser.parse(
            files: [SchemaSource(path: "Book.yaml", bytes: Array(text.utf8))], settings: nil
        ).set
        #expect(Validator.validate(set).count == 10_000)
    }

    private func expectNoMistake(inEntities count: Int) {
        let files = (0..<count).map { index in
            let text = """
                entity: Entity\(index)
                doc: The entity number \(index).
                fields:
                  title: { type: String, minLength: 1, maxLength: 200, index: true }
                  tags: { type: "[String]", default: [] }
                  pages: { type: Int, minimum: 1, default: 7 }
                  price: { type: Decimal, scale: 2, default: 0.50 }
                  kind: { type: Kind, default: small }
                  next: { type: Entity\((index + 1) % count)?, onDelete: setNull }
                  updatedAt: { type: Date, default: now, onUpdate: now }
                  code: { type: String, pattern: '[A-Z]{3}-[0-9]+' }
                  shelf: Shelf?
                  revision: { type: Int, version: true }
                indexes:
                  - { fields: [title, -updatedAt] }
                """
            return SchemaSource(path: "Entity\(index).yaml", bytes: Array(text.utf8))
        }
        let shared = SchemaSource(
            path: "Shared.yaml",
            bytes: Array(
                "enum: Kind\ncases: [small, large]\n---\nvalue: Shelf\nfields: { room: Int }\n".utf8
            ))
        let result = SchemaParser.parse(files: files + [shared], settings: nil)
        #expect(result.diagnostics + Validator.validate(result.set) == [])
    }
}
