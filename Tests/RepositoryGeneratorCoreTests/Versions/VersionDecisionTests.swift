import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryGeneratorCore

/// The decisions in version files: how they are written, and which of them a version keeps.
@Suite("The decisions of a version")
struct VersionDecisionTests {
    private static func schema(_ text: String, settings: String? = nil) -> NormalizedSchema {
        NormalizedSchemaTests.schema(text, settings: settings)
    }

    /// The text of a schema with the decisions that a version keeps.
    private static func kept(
        _ old: String?, _ new: String, settings: String? = nil, number: Int = 2
    ) -> String {
        schema(new, settings: settings)
            .keepingDecisions(since: old.map { schema($0) }, number: number).text
    }

    @Test("are written in one notation, and read again")
    func text() {
        let schema = Self.schema(
            """
            entity: Book
            renamedFrom: Tome
            removed: subtitle
            reuse: [pages]
            migrate: { code, for: 6 }
            id: { type: String, convert: { value: , for: 2 } }
            fields:
              pages: { type: Int, fill: 007, renamedFrom: size }
              price: { type: Decimal, fill: { code, for: 3 }, convert: { value, otherwise: 1.50 } }
              name: { type: String, fill: { value: code } }
              word: { type: String, fill: "null" }
              status: { type: Status, fill: { value: code }, convert: code }
              counts: { type: "[String: Int]", fill: { value: { b: 1, a: 2 } } }
              tags: { type: "[String]", fill: [] }
            ---
            value: Shelf
            renamedFrom: Rack
            removed: floor
            reuse: room
            fields: { room: { type: String, fill: A } }
            ---
            union: Shape
            removed: [square, dot.width]
            reuse: dot
            cases: { dot: { size: { type: Float, fill: 1 } } }
            ---
            enum: Status
            renamedFrom: State
            removed: { lost: code, "null": open }
            cases: [code, { open: o, renamedFrom: free }, { closed, renamedFrom: [a, b] }]
            """,
            settings: """
                removed: Loan
                reuse: Book
                migrate: { code: [Loan], for: 3 }
                migrations: AppMigrations
                """)
        #expect(
            schema.text == """
                removed: [Loan]
                reuse: [Book]
                migrate: [{ code: [Loan] }]
                ---
                entity: Book
                table: books
                renamedFrom: [Tome]
                removed: [subtitle]
                reuse: [pages]
                migrate: code
                id: { name: id, type: String, column: id, convert: value }
                fields:
                  pages: { type: Int, column: pages, renamedFrom: [size], fill: 7 }
                  price: { type: Decimal, column: price, fill: code, \
                convert: { value, otherwise: 1.5 } }
                  name: { type: String, column: name, fill: "code" }
                  word: { type: String, column: word, fill: "null" }
                  status: { type: Status, column: status, fill: { value: code }, convert: code }
                  counts: { type: "[String: Int]", column: counts, \
                fill: { value: { "a": 2, "b": 1 } } }
                  tags: { type: "[String]", column: tags, fill: [] }
                ---
                union: Shape
                removed: [square, "dot.width"]
                reuse: [dot]
                cases:
                  dot:
                    size: { type: Float, fill: 1.0 }
                ---
                value: Shelf
                renamedFrom: [Rack]
                removed: [floor]
                reuse: [room]
                fields:
                  room: { type: String, fill: "A" }
                ---
                enum: Status
                type: String
                renamedFrom: [State]
                removed: { lost: code, "null": open }
                cases:
                  - code: "code"
                  - { open: "o", renamedFrom: [free] }
                  - { closed: "closed", renamedFrom: [a, b] }

                """)
        let file = SchemaSource(path: "Versions/0002.yaml", bytes: Array(schema.text.utf8))
        let (set, found) = SchemaParser.parse(version: file)
        #expect(found.map(\.message) == [])
        #expect(Validator.validate(set).map(\.message) == [])
        #expect(NormalizedSchema(set).text == schema.text)
        #expect(schema.differences(from: NormalizedSchema(set)).isEmpty)
    }

    @Test("are none in a side version and in what is compared")
    func without() {
        let text = "entity: A\nremoved: b\nfields: { a: { type: Int, fill: 1, convert: value } }\n"
        let schema = Self.schema(text, settings: "removed: [B]\n").withoutDecisions
        let plain = Self.schema("entity: A\nfields: { a: Int }\n")
        #expect(schema.text == plain.text)
        #expect(Self.schema(text).differences(from: plain).isEmpty)
        // The first version has nothing to decide about.
        #expect(Self.kept(nil, text, settings: "removed: [B]\n") == plain.text)
    }

    @Test("'removed' are the names that the version before has, 'reuse' those that it has not")
    func removed() {
        let old = """
            entity: Book
            fields: { title: String, blurb: String }
            ---
            entity: Loan
            ---
            value: Page
            fields: { text: String }
            ---
            union: Shape
            cases: { dot: { size: Int, width: Int }, square: {} }
            ---
            enum: Status
            cases: [open, lost]
            """
        let new = """
            entity: Tome
            renamedFrom: Book
            removed: [blurb, subtitle]
            reuse: [pages, title]
            fields: { title: String, pages: Int }
            ---
            entity: Fresh
            removed: a
            reuse: b
            migrate: code
            fields: { b: { type: Int, fill: 1 } }
            ---
            union: Shape
            removed: [square, oval, dot.width, dot.height]
            reuse: [dot, dot.size, line, line.end]
            cases: { dot: { size: Int }, line: { end: { type: Int, fill: 1 } } }
            ---
            enum: Status
            removed: { lost: open, sold: open }
            cases: [open]
            """
        let settings = "removed: [Loan, Page, Receipt]\nreuse: [Fresh]\n"
        let text = Self.kept(old, new, settings: settings)
        #expect(text.hasPrefix("removed: [Loan]\nreuse: [Fresh]\n---\nentity: Fresh\n"))
        #expect(
            text.contains("entity: Tome\ntable: tomes\nrenamedFrom: [Book]\nremoved: [blurb]\n"))
        #expect(text.contains("\nreuse: [pages]\n"))
        #expect(text.contains("removed: [square, \"dot.width\"]\nreuse: [line, \"line.end\"]\n"))
        #expect(text.contains("removed: { lost: open }\n"))
        // The records of a new type or case have all its fields.
        #expect(!text.contains("fill") && !text.contains("migrate"))
        #expect(!text.contains("removed: [a]") && !text.contains("reuse: [b]"))
    }

    @Test(
        "'fill' is of a field that is new or was optional, 'convert' of one that had another type",
        arguments: [
            ("b: Int", "a: { type: Int, fill: 1 }", "fill: 1"),
            ("a: Int?", "a: { type: Int, fill: 1 }", "fill: 1"),
            ("a: \"[Int]?\"", "a: { type: [Int], fill: [1] }", "fill: [1]"),
            ("b: Int?", "a: { type: Int, fill: 1, renamedFrom: b }", "renamedFrom: [b], fill: 1"),
            ("a: Int", "a: { type: Int, fill: 1 }", nil),
            ("b: Int", "a: { type: Int, fill: 1, renamedFrom: b }", "renamedFrom: [b]"),
            ("a: \"[Int?]\"", "a: { type: \"[Int?]\", fill: [1] }", nil),
            ("a: Int", "a: { type: Decimal, convert: value }", "convert: value"),
            ("a: Int?", "a: { type: Int, convert: value }", nil),
            ("a: Int?", "a: { type: Decimal?, convert: code }", "convert: code"),
            ("b: Int", "a: { type: Decimal, convert: value }", nil),
            (
                "b: Int", "a: { type: Int64, convert: value, renamedFrom: b }",
                "renamedFrom: [b], convert: value"
            ),
            (
                "a: { type: Decimal, scale: 4 }",
                "a: { type: Decimal, scale: 2, convert: value }", "convert: value"
            ),
            (
                "a: { type: Decimal, scale: 2 }",
                "a: { type: Decimal, scale: 2, convert: value }", nil
            ),
            (
                "a: Int?", "a: { type: Decimal, fill: 1, convert: { value, otherwise: 2 } }",
                "fill: 1, convert: { value, otherwise: 2 }"
            ),
            ("a: Int?", "a: { type: Int, fill: { value: 1, for: 2 } }", "fill: 1"),
            ("a: Int?", "a: { type: Int, fill: { value: 1, for: 3 } }", nil),
            ("a: Int", "a: { type: Decimal, convert: { code, for: 1 } }", nil),
        ] as [(String, String, String?)])
    func fields(old: String, new: String, decisions: String?) {
        for (kind, start, end) in [
            ("entity: A", "fields: { ", " }"), ("value: A", "fields: { ", " }"),
            ("union: A", "cases: { one: { ", " } }"),
        ] {
            let text = Self.kept(
                "\(kind)\n\(start)\(old)\(end)\n", "\(kind)\n\(start)\(new)\(end)\n")
            let line = text.split(separator: "\n").first { $0.contains(" a: {") } ?? ""
            if let decisions {
                #expect(line.hasSuffix(", \(decisions) }"), "\(text)")
            } else {
                #expect(!line.contains("fill") && !line.contains("convert"), "\(text)")
            }
        }
    }

    @Test("'convert' is of an id, and of a field whose enum or scalar is stored as another type")
    func innerTypes() {
        func schema(_ id: String, _ raw: String, _ stored: String) -> String {
            """
            entity: A
            id: { name: \(id), convert: value }
            fields:
              one: { type: Level, convert: code }
              list: { type: "[String: Money?]", convert: code }
            ---
            enum: Level
            type: \(raw)
            cases: [low: 1]
            ---
            scalar: Money
            stored: \(stored)
            """
        }
        let old = schema("id, type: Int", "Int", "Int64")
        func lines(_ new: String) -> [String] {
            Self.kept(old, new).split(separator: "\n").filter { $0.contains("convert:") }
                .compactMap { $0.split(separator: ":").first.map(String.init) }
        }
        #expect(lines(old) == [])
        #expect(lines(schema("key, type: Int", "Int", "Int64")) == [])
        #expect(lines(schema("key, type: String", "Int", "Int64")) == ["id"])
        #expect(lines(schema("id, type: Int", "String", "Int64")) == ["  one"])
        #expect(lines(schema("id, type: Int", "Int", "Decimal")) == ["  list"])
    }

    @Test("'renamedFrom' is of types, fields and cases")
    func renames() {
        let old = """
            value: Rack
            fields: { line: Int }
            ---
            union: Form
            cases: { dot: { width: Int } }
            ---
            enum: State
            cases: [free, lost]
            """
        let new = """
            value: Shelf
            renamedFrom: [Board, Rack]
            fields: { row: { type: Int, renamedFrom: line } }
            ---
            union: Shape
            renamedFrom: [Form, State]
            cases: { dot: { size: { type: Int, renamedFrom: width } } }
            ---
            enum: Status
            renamedFrom: State
            cases: [{ open, renamedFrom: [free, gone] }, { lost, renamedFrom: away }]
            """
        let text = Self.kept(old, new)
        for line in [
            "renamedFrom: [Rack]", "  row: { type: Int, renamedFrom: [line] }",
            "renamedFrom: [Form]", "    size: { type: Int, renamedFrom: [width] }",
            "renamedFrom: [State]", "  - { open: \"open\", renamedFrom: [free] }",
            "  - lost: \"lost\"",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
        }
        // What is spent is no decision of a later version.
        #expect(!Self.kept(new, new).contains("renamedFrom"))
        #expect(
            Self.schema(new).differences(from: Self.schema(old)).map(\.message) == [
                "the union 'Shape' was named 'Form'",
                "the field 'size' of the case 'dot' of the union 'Shape' was named 'width'",
                "the value 'Shelf' was named 'Rack'",
                "the field 'row' of the value 'Shelf' was named 'line'",
                "the enum 'Status' was named 'State'",
                "the case 'open' of the enum 'Status' was named 'free'",
                "'raw value' of the case 'open' of the enum 'Status' is \"open\", was \"free\"",
            ])
    }

    @Test("'migrate' is a change by itself, until a version has it")
    func migrate() {
        let plain = "entity: A\n---\nentity: B\n"
        func both(_ version: String) -> NormalizedSchema {
            Self.schema(
                "entity: A\nmigrate: { code\(version) }\n---\nentity: B\n",
                settings: "migrate: { code: [B]\(version) }\n")
        }
        func messages(_ new: NormalizedSchema, _ old: NormalizedSchema, _ number: Int) -> [String] {
            new.differences(from: old, number: number).map(\.message)
        }
        let found = [
            "'migrate' of the entity 'A' is new: code",
            "'migrate' of the settings is new: { code: [B] }",
        ]
        let old = Self.schema(plain)
        #expect(messages(both(""), old, 2) == found)
        #expect(messages(both(", for: 2"), old, 2) == found)
        #expect(messages(both(", for: 3"), old, 2) == [])
        #expect(messages(both(""), both(""), 3) == [])
        #expect(messages(both(", for: 2"), both(""), 3) == [])
        #expect(messages(both(", for: 3"), both(""), 3) == found)
        #expect(messages(old, both(""), 3) == [])
        for (version, number, isKept) in [
            ("", 2, true), (", for: 2", 2, true), (", for: 2", 3, false),
        ] {
            let text = both(version).keepingDecisions(since: old, number: number).text
            #expect(text.contains("migrate: code\n") == isKept)
            #expect(text.hasPrefix("migrate: [{ code: [B] }]\n---\n") == isKept)
        }
    }
}
