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

    @Test("values that each hold two of the next are read once each", arguments: [40, 400])
    func twoOfTheNext(count: Int) throws {
        var text = "entity: Book\nfields: { first: V0, second: V0 }\n"
        for index in 0..<count - 1 {
            text += "---\nvalue: V\(index)\nfields: { one: V\(index + 1), two: 'V\(index + 1)?' }\n"
        }
        for last in [
            "{ text: String }", "{ text: { type: String, sensitive: true }, book: Book? }",
        ] {
            let whole = text + "---\nvalue: V\(count - 1)\nfields: \(last)\n"
            let (set, diagnostics) = SchemaParser.parse(
                files: [SchemaSource(path: "Book.yaml", bytes: Array(whole.utf8))], settings: nil)
            #expect(diagnostics + Validator.validate(set) == [])
            let sensitive = SchemaScope(set).sensitiveTypes
            #expect(sensitive.visitedCount <= 5 * count)
            #expect(sensitive.names.count == (last.contains("sensitive") ? count : 0))
            #expect(Linter.warnings(of: set).count <= count)
            var builder = DiagramBuilder(set, EntityDiagram.Options())
            builder.build()
            #expect(builder.visitedCount <= 10 * count)
            #expect(builder.links.count <= 2)
            let files = try RepositoryGenerator.render(set)
            #expect(files[0].text.contains("customMirror") == last.contains("sensitive"))
            #expect(!RepositoryGenerator.context(of: set).text.isEmpty)
        }
    }

    @Test("a wrong literal deep in lists is looked at once on each level")
    func deepLiteral() {
        var visits = 0
        func look(_ depth: Int) -> Int? {
            visits += 1
            return depth == 0 ? 1 : [0].firstResult { _ in look(depth - 1) }
        }
        #expect(look(60) == 1)
        #expect(visits == 61)
        let type = String(repeating: "[", count: 16) + "Int" + String(repeating: "]", count: 16)
        let value = String(repeating: "[", count: 16) + "x" + String(repeating: "]", count: 16)
        let text = "entity: Book\nfields: { a: { type: \"\(type)\", default: \(value) } }\n"
        let set = SchemaParser.parse(
            files: [SchemaSource(path: "Book.yaml", bytes: Array(text.utf8))], settings: nil
        ).set
        #expect(Validator.validate(set).count == 1)
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
