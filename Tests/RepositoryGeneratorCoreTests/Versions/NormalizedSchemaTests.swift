import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryGeneratorCore

/// The normal form of schemas, which decides whether two notations are the same version.
@Suite("The normal form of a schema")
struct NormalizedSchemaTests {
    static func schema(_ texts: String..., settings: String? = nil) -> NormalizedSchema {
        let files = texts.enumerated().map { index, text in
            SchemaSource(path: "File\(index).yaml", bytes: Array(text.utf8))
        }
        let settings = settings.map {
            SchemaSource(path: "repositories.yaml", bytes: Array($0.utf8))
        }
        let (set, found) = SchemaParser.parse(files: files, settings: settings)
        let problems = found + Validator.validate(set)
        #expect(problems.map(\.message) == [])
        return NormalizedSchema(set)
    }

    @Test("spells out what is stored, and nothing else")
    func text() {
        let schema = Self.schema(
            """
            entity: Book
            doc: A book.
            include: [Dated]
            fields:
              title: { type: String, doc: The title., index: true }
              author: Author
              price: { type: Decimal?, scale: 2, default: 01.50 }
              tags: { type: "[String]", default: [a, "null"] }
              secret: { type: String, sensitive: true, default: 1.0, pattern: '\\d\\.\\d' }
            indexes: [{ fields: [-price, title], unique: true, where: (5<price) }]
            checks: { priced: { where: price isNull||price>=1.00, message: Too low. } }
            queries: { all: { sort: title } }
            ---
            entity: Author
            relations: { books: { of: Book } }
            ---
            mixin: Dated
            fields:
              addedAt: { type: Date, default: now, onUpdate: now }
              bornAt: { onCreate: now, type: Date? }
            ---
            enum: Status
            cases: [available, onLoan: on_loan]
            unknown: other
            ---
            union: Cover
            cases: { plain: {}, photo: { file: URL, caption: String? } }
            """)
        #expect(
            schema.text == """
                entity: Author
                table: authors
                id: { name: id, type: UUID, column: id, default: generated }
                ---
                entity: Book
                table: books
                id: { name: id, type: UUID, column: id, default: generated }
                fields:
                  title: { type: String, column: title }
                  author: { type: Author, column: author_id, onDelete: restrict }
                  price: { type: Decimal?, column: price, default: 1.5, scale: 2 }
                  tags: { type: "[String]", column: tags, default: ["a", "null"] }
                  secret: { type: String, column: secret, default: "1.0", pattern: "\\\\d\\\\.\\\\d", \
                sensitive: true }
                  addedAt: { type: Date, column: added_at, onUpdate: now, default: now }
                  bornAt: { type: Date?, column: born_at, onCreate: now }
                indexes:
                  - { name: books_price_title, fields: ["-price", title], unique: true, \
                where: "price > 5" }
                  - { name: books_title, fields: [title] }
                checks:
                  priced: { where: "price isNull || price >= 1" }
                ---
                union: Cover
                cases:
                  plain: {}
                  photo:
                    file: { type: URL }
                    caption: { type: String? }
                ---
                enum: Status
                type: String
                unknown: other
                cases:
                  - available: "available"
                  - onLoan: "on_loan"

                """)
    }

    @Test(
        "has one notation of a literal",
        arguments: [
            ("Int", ["7", "007"], "7"), ("Int8", ["-0", "0"], "0"),
            ("Decimal", ["1.0", "1.00", "01", "1"], "1"), ("Decimal", ["-0.0", "0"], "0"),
            ("Decimal", ["-0.50", "-00.5"], "-0.5"),
            ("Double", ["1", "1.0", "1e0", "10e-1"], "1.0"), ("Double", ["-0.0", "0"], "0.0"),
            ("Float", ["0.1", "1e-1"], "0.1"),
            (
                "Date", ["2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
                "2024-02-29"
            ),
            (
                "Date", ["2024-02-29T12:30:00.50Z", "2024-02-29T12:30:00.5Z"],
                "2024-02-29T12:30:00.5Z"
            ),
            (
                "UUID", ["0c9a0000-0000-0000-0000-00000000000f"],
                "\"0C9A0000-0000-0000-0000-00000000000F\""
            ),
            ("String", ["now", "'now'"], "\"now\""), ("Date", ["now"], "now"),
            ("UUID", ["generated"], "generated"),
            (
                "\"[String: Decimal]\"", ["{ b: 1.0, a: 2 }", "{ a: 2.00, b: 1 }"],
                "{ \"a\": 2, \"b\": 1 }"
            ),
        ] as [(String, [String], String)])
    func literals(type: String, notations: [String], canonical: String) {
        for notation in notations {
            let schema = Self.schema(
                "entity: A\nfields: { a: { type: \(type), default: \(notation) } }\n")
            #expect(schema.text.contains(", default: \(canonical) }\n"), "\(schema.text)")
        }
    }

    @Test("compares names and texts by their bytes")
    func bytes() {
        let composed = Self.schema("entity: Caf\u{E9}\nfields: { caf\u{E9}: Int }\n")
        let decomposed = Self.schema("entity: Cafe\u{301}\nfields: { cafe\u{301}: Int }\n")
        #expect(!composed.text.utf8.elementsEqual(decomposed.text.utf8))
        #expect(composed.differences(from: decomposed).count == 2)
        let first = Self.schema("entity: A\nfields: { a: { type: String, default: \"\u{E9}\" } }\n")
        let second = Self.schema(
            "entity: A\nfields: { a: { type: String, default: \"e\u{301}\" } }\n")
        #expect(first.differences(from: second).count == 1)
    }

    @Test("does not depend on notation")
    func notations() {
        let one = Self.schema(
            "entity: A\nfields: { a: { type: Int, index: true }, b: Int }\n",
            settings: "columns: as_written")
        let other = Self.schema(
            """
            # Another notation.
            mixin: M
            fields: { b: { type: Int, column: b } }
            ---
            entity: A
            table: as
            include: M
            fields: { a: Int }
            indexes: [a]
            """)
        #expect(one.text == other.text)
    }

    @Test("spells out columns of references to composite ids and of unmanaged tables")
    func settings() {
        let schema = Self.schema(
            """
            entity: PlaylistTrack
            id: [listOf, trackNumber]
            fields: { listOf: Int, trackNumber: Int }
            ---
            entity: Mark
            fields: { playedTrack: PlaylistTrack }
            """, settings: "columns: as_written\nmanage: false\n")
        let again = Self.schema(schema.text)
        #expect(again.text == schema.text)
        #expect(schema.text.contains("\nmanage: false\n"))
        #expect(
            schema.text.contains(
                "  playedTrack: { type: PlaylistTrack, column: playedTrack, onDelete: restrict }"))
        #expect(schema.text.contains("  listOf: { type: Int, column: listOf }"))
    }

    @Test("escapes what cannot be printed, and reads it again")
    func escapes() {
        let text = "\\u0001\\t\\u2028\\uFEFF\\\"\\\\\\U0001F600\\u202E #: {"
        let schema = Self.schema(
            "entity: A\nfields: { a: { type: String, default: \"\(text)\" } }\n")
        let line = "\"\\u0001\\t\\u2028\\uFEFF\\\"\\\\\u{1F600}\\u202E #: {\""
        #expect(schema.text.contains(line), "\(schema.text)")
        #expect(Self.schema(schema.text).text == schema.text)
        let key = String(repeating: "k", count: 3_000)
        let long = Self.schema(
            "entity: A\nfields: { a: { type: \"[String: Int]\", default: { ? \(key) : 1 } } }\n")
        #expect(Self.schema(long.text).text == long.text)
        #expect(long.text.contains("? \"\(key)\" : 1"))
    }
}
