import Foundation
import RecordedSections
import RepositorySchema
import RepositorySchemaParser
import Templates
import Testing

@testable import RepositoryGeneratorCore

/// The context of templates: all its names are listed, printed and documented.
@Suite("the context of templates")
struct ContextTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// A version with another type of a field, so that a function converts it.
    private static func history() -> VersionHistory {
        let old = parsed(
            everythingText.replacing(
                "price: { type: Decimal, scale: 2, convert: code }", with: "price: Int"))
        return VersionHistory(
            versions: [.init(number: 1, hash: "0", set: old)], present: everything(),
            isReleased: false)
    }

    /// Everything that a schema can declare.
    private static func everything() -> SchemaSet { parsed(everythingText) }

    private static let everythingText = """
        entity: Book
        doc: A book.
        deprecated: Use a page.
        include: [Dated]
        conformances: [Priced]
        id: { name: isbn, type: String, pattern: "[0-9]+" }
        fields:
          title: { type: String, minLength: 1, maxLength: 9, sensitive: true, unique: true }
          tags: { type: "[String]", default: [a, b], minLength: 1 }
          pages: { type: Int, minimum: 1, maximum: 9, default: 2, doc: Printed. }
          status: { type: Status, default: here, index: true }
          shelf: Shelf?
          cover: Cover?
          fee: { type: Money?, deprecated: true }
          price: { type: Decimal, scale: 2, convert: code }
          author: { type: Writer?, onDelete: setNull }
          revision: { type: Int, version: true }
        indexes: [{ fields: [title, -pages] }]
        ---
        entity: Writer
        id: [name, number]
        fields: { name: String, number: Int }
        ---
        mixin: Dated
        fields: { at: { type: Date, default: now, onUpdate: now } }
        ---
        value: Shelf
        fields: { row: Int }
        ---
        union: Cover
        cases: { plain: {}, photo: { file: URL } }
        ---
        enum: Status
        cases: [here, gone: away]
        unknown: other
        ---
        enum: Mood
        type: Int
        cases: [good: 1]
        ---
        scalar: Money
        stored: Int
        import: Billing

        """

    private static func parsed(_ text: String) -> SchemaSet {
        let source = SchemaSource(path: "Book.yaml", bytes: Array(text.utf8))
        let (set, found) = SchemaParser.parse(files: [source], settings: nil)
        let problems = found + Validator.validate(set)
        #expect(problems.isEmpty, "\(problems.map(\.message))")
        return set
    }

    @Test("lists each name of a layer and of the model once")
    func names() {
        for (name, keys) in ContextKeys.layers + ContextKeys.model {
            #expect(!keys.isEmpty, "\(name)")
            #expect(Set(keys).count == keys.count, "\(name)")
        }
    }

    @Test("has a value for each name of a layer")
    func values() throws {
        func look(at layer: any RenderLayer) -> Int {
            #expect(layer.child(named: "noSuchName") as? String == nil)
            return layer.keys.reduce(0) { count, key in
                let child = layer.child(named: key)
                #expect(child != nil, "\(key) of \(type(of: layer))")
                switch child {
                case let inner as any RenderLayer: return count + look(at: inner)
                case let list as [any RenderLayer]:
                    return count + list.reduce(1) { $0 + look(at: $1) }
                default: return count + 1
                }
            }
        }
        let translator = SchemaTranslator(Self.everything())
        #expect(look(at: translator.file("Book.yaml")) > 100)
        #expect(look(at: translator.setFile()) >= 6)
        let versions = VersionsTranslator(
            Self.history(), scope: translator.scope, access: translator.access)
        #expect(try look(at: #require(versions).file) >= 8)
    }

    @Test("holds what the built-in templates name")
    func builtIn() {
        for template in BuiltInTemplate.all {
            for tag in TemplateScanner(template.text, path: template.name).tags
            where [.variable, .section, .inverted].contains(tag.kind) && tag.name != "." {
                #expect(ContextKeys.all.contains(tag.name), "\(tag.name) of \(template.name)")
            }
        }
    }

    @Test("prints the same, with each name of the model")
    func printed() throws {
        let context = RepositoryGenerator.context(
            of: Self.everything(), history: Self.history())
        #expect(
            context.text
                == RepositoryGenerator.context(of: Self.everything(), history: Self.history()).text)
        var seen: Set<[String]> = []
        func collect(_ value: JSONValue) {
            switch value {
            case .object(let members):
                seen.insert(members.map(\.name))
                for member in members { collect(member.value) }
            case .array(let elements): elements.forEach(collect)
            case .null: Issue.record("a value is missing")
            case .bool, .integer, .string: break
            }
        }
        collect(context)
        for (name, keys) in ContextKeys.model {
            let printed = keys.filter {
                name != "an entity" || !["set", "swift", "types"].contains($0)
            }
            #expect(seen.contains(printed), "\(name)")
        }
        let printed = Set(seen.joined())
        for (name, keys) in ContextKeys.layers { #expect(printed.isSuperset(of: keys), "\(name)") }
    }

    private static let templatesArticle = package.appending(
        path: "Sources/repository-generator/Documentation.docc/Templates.md")

    /// The article with the tables of names as they are.
    private static func documented(in article: String) throws -> String {
        try RecordedSection("<!-- The names of the layers: make record. -->").replaced(
            in: RecordedSection("<!-- The names of the facts: make record. -->").replaced(
                in: article, with: table("part", ContextKeys.model)),
            with: table("layer", ContextKeys.layers))
    }

    private static func table(_ head: String, _ rows: [(name: String, keys: [String])]) -> String {
        let lines = rows.map { name, keys in
            "| \(name) | " + keys.map { "`\($0)`" }.joined(separator: " ") + " |"
        }
        return (["| \(head) | names |", "|---|---|"] + lines).joined(separator: "\n")
    }

    /// `RECORD=1` in the environment writes the tables of the names instead of comparing them.
    @Test("is documented")
    func documented() throws {
        let file = Self.templatesArticle
        let wanted = try Self.documented(in: String(contentsOf: file, encoding: .utf8))
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
        }
        let article = try String(contentsOf: file, encoding: .utf8)
        #expect(article == wanted, "'make record' writes the tables")
        for ending in CommentForm.endings {
            #expect(article.contains("`.\(ending)`"), "the ending .\(ending)")
        }
        for template in BuiltInTemplate.all {
            #expect(article.contains("`\(template.name).mustache`"), "\(template.name)")
        }
    }

    @Test("is documented by a recorder that leaves the rest of the page alone")
    func recordedTwice() throws {
        let article = try String(contentsOf: Self.templatesArticle, encoding: .utf8)
        let once = try Self.documented(in: article)
        #expect(try Self.documented(in: once) == once)
        // The page begins with a table of files, one of whose rows is called like a layer.
        #expect(once.contains("| file | what it does |\n|---|---|\n| `entity.mustache` |"))
        let worn = article.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("| a field | ") ? "| a field | gone |" : $0 }
            .joined(separator: "\n")
        #expect(worn != article)
        #expect(try Self.documented(in: worn) == once)
    }

    @Test("is not recorded where the page does not say where")
    func unmarkedPage() {
        let section = RecordedSection("<!-- names -->")
        for page in [
            "| file |\n", "<!-- names -->\n| file |\n",
            "<!-- names -->\n<!-- end -->\n<!-- names -->\n<!-- end -->\n",
        ] {
            #expect(throws: RecordedSection.Problem.self) {
                try section.replaced(in: page, with: "| a |")
            }
        }
        #expect(throws: RecordedSection.Problem.self) {
            try section.replaced(in: "<!-- names -->\n<!-- end -->\n", with: "a\n<!-- end -->")
        }
    }
}
