import RepositorySchema
import Testing

@testable import RepositorySchemaParser

/// Lines that are added to the text of a person.
@Suite("The editor of schema files")
struct SchemaEditorTests {
    /// Adds a field `new: Int` to the first document of a text, or to that of a line.
    private static func adding(to text: String, line: Int? = nil) throws -> String {
        let source = SchemaSource(path: "A.yaml", bytes: Array(text.utf8))
        let documents = YAMLDocuments(bytes: source.bytes, path: "A.yaml")
        let first = try #require(documents.roots.first)
        let place = line.map { SourcePosition(line: $0, column: 1) } ?? first.range.start
        let edited = try SchemaEditor.adding(
            [SchemaAddition(place: place, key: "fields", isList: false, lines: ["new: Int"])],
            to: source)
        let lines = String(decoding: edited.bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { ["\n", "\r\n"].contains($0) }
        let added = try #require(edited.places.first)
        #expect(
            lines[added.line - 1] == String(repeating: " ", count: added.indentation) + "new: Int")
        return String(decoding: edited.bytes, as: UTF8.self)
    }

    @Test(
        "adds after the last value of a block",
        arguments: [
            ("entity: A\nfields:\n  a: Int\n", "entity: A\nfields:\n  a: Int\n  new: Int\n"),
            ("entity: A\nfields:\n  a: Int", "entity: A\nfields:\n  a: Int\n  new: Int"),
            ("entity: A", "entity: A\nfields:\n  new: Int"),
            ("entity: A # b\n\n\n", "entity: A # b\nfields:\n  new: Int\n\n\n"),
            ("  entity: A\n", "  entity: A\n  fields:\n    new: Int\n"),
            ("entity: A\r\n", "entity: A\r\nfields:\r\n  new: Int\r\n"),
            (
                "fields:\n      a: Int\nentity: A",
                "fields:\n      a: Int\n      new: Int\nentity: A"
            ),
            ("indexes:\n    - a\n# b\n", "indexes:\n    - a\nfields:\n    new: Int\n# b\n"),
            ("indexes:\n- a\n...\n", "indexes:\n- a\nfields:\n  new: Int\n...\n"),
            ("fields:\n  a: {\n  x: 1 }\n\n", "fields:\n  a: {\n  x: 1 }\n  new: Int\n\n"),
            ("fields:\n  a: >\n    b\n\n# c", "fields:\n  a: >\n    b\n\n  new: Int\n# c"),
            ("fields:\n  a: b\n   c\n# d\n", "fields:\n  a: b\n   c\n  new: Int\n# d\n"),
            ("doc: |\n  a\nfields:\n  a:\n", "doc: |\n  a\nfields:\n  a:\n  new: Int\n"),
            ("a: b\n--- # c\nd: e\n", "a: b\nfields:\n  new: Int\n--- # c\nd: e\n"),
            ("é: \"ü\\n\"\t# ö\n", "é: \"ü\\n\"\t# ö\nfields:\n  new: Int\n"),
        ])
    func added(_ text: String, _ expected: String) throws {
        #expect(try Self.adding(to: text) == expected)
    }

    @Test("adds to the document in which a place is")
    func documents() throws {
        let text = "entity: A\n---\nentity: B\n---\nentity: C\n"
        #expect(
            try Self.adding(to: text, line: 3)
                == "entity: A\n---\nentity: B\nfields:\n  new: Int\n---\nentity: C\n")
    }

    @Test(
        "changes nothing where lines cannot follow, and says why",
        arguments: [
            ("entity: A\nfields: { a: Int }\n", "2:9", "because it is written in braces"),
            ("entity: A\nfields: &a\n  a: Int\n", "2:9", "because aliases share it"),
            ("a: &a\n  b: c\nfields: *a\n", "3:9", "because it is an alias"),
            ("{ entity: A }\n", "1:1", "does not begin with a key"),
            ("--- { entity: A }\n", "1:5", "does not begin with a key"),
            ("entity: A\nfields:\n  - a\n", "3:3", "no entry on a line of its own"),
            ("entity: A\nfields: a\n", "2:9", "no entry on a line of its own"),
            ("? entity\n: A\n", "1:1", "does not begin with a key"),
            ("entity: A\ndoc: |\n  a", "1:1", "without changing one of its values"),
            ("entity: A\ndoc: |+\n  a\n\n", nil, ""),
            ("fields:\n  a: Int\u{85}  b: Int\n", nil, ""),
            ("fields:\n  new: Int\n", "1:1", "without changing one of its values"),
            ("entity: A\n---\n- a\n", nil, ""),
            ("- a\n", "1:1", "does not begin with a key"),
        ] as [(String, String?, String)])
    func refused(_ text: String, _ place: String?, _ reason: String) throws {
        do {
            let edited = try Self.adding(to: text)
            #expect(place == nil, "\(edited)")
        } catch let problem as SchemaEditProblem {
            let start = problem.diagnostic.range.start
            #expect("\(start.line):\(start.column)" == place, "\(problem.diagnostic.message)")
            #expect(problem.diagnostic.message.contains(reason), "\(problem.diagnostic.message)")
        }
    }

    @Test("keeps every byte of texts at random, or refuses")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SplitMix(state: seed)
        let pieces = [
            "a: b", "fields:", "  c: d", "    e: f", "- g", "# h", "\n", "\n", "\n", "\r\n", "\t",
            " ", "|\n", ">-\n", "\"i\"", "'j", "'", "{ k: l }", "[m]", "&n ", "*n", "---\n",
            "...\n",
            "? ", ": ", "é", "\u{85}", "\u{2028}", "\r", "\u{FEFF}", "o:", ",", "}",
        ]
        var editedCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1..<12, using: &generator)
            let text = (0..<count).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined()
            let source = SchemaSource(path: "A.yaml", bytes: Array(text.utf8))
            let documents = YAMLDocuments(bytes: source.bytes, path: "A.yaml")
            guard documents.diagnostics.isEmpty,
                let root = documents.roots.randomElement(using: &generator)
            else { continue }
            let addition = SchemaAddition(
                place: root.range.start, key: "fields", isList: false, lines: ["new: Int"])
            guard let edited = try? SchemaEditor.adding([addition], to: source) else { continue }
            editedCount += 1
            // Without the added text, the bytes are the old ones.
            let new = edited.bytes
            let start = zip(new, source.bytes).prefix { $0 == $1 }.count
            let isKept = (0...start).contains { start in
                let count = new.count - source.bytes.count
                return new[..<start] + new[(start + count)...] == source.bytes[...]
            }
            #expect(isKept, "seed \(seed): \(text.debugDescription)")
        }
        #expect(editedCount > 100)
    }
}
