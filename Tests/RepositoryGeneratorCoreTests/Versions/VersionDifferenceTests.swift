import RepositorySchema
import Testing

@testable import RepositoryGeneratorCore

/// What differs between two versions, and which `renamedFrom` a version keeps.
@Suite("The differences between versions")
struct VersionDifferenceTests {
    private static let old = """
        entity: Book
        fields: { title: String, pages: { type: Int, minimum: 1 }, status: Status, cover: Cover }
        checks: { some: { where: pages > 0 } }
        ---
        enum: Status
        cases: [available, lost]
        ---
        union: Cover
        cases: { plain: {}, photo: { file: URL } }
        """

    private static func messages(_ old: String, _ new: String) -> [String] {
        NormalizedSchemaTests.schema(new)
            .differences(from: NormalizedSchemaTests.schema(old)).map(\.message)
    }

    @Test("name the declaration and its part")
    func messages() {
        #expect(Self.messages(Self.old, Self.old) == [])
        let new = """
            entity: Book
            table: tomes
            fields:
              pages: { type: Int64, maximum: 9 }
              title: { type: String, unique: true }
              cover: Cover
              price: Decimal?
            checks: { some: { where: pages > 1 } }
            ---
            entity: Loan
            ---
            value: Status
            fields: { name: String }
            ---
            union: Cover
            cases: { photo: { file: String, width: Int }, drawn: { by: String } }
            """
        #expect(
            Self.messages(Self.old, new) == [
                "'table' of the entity 'Book' is tomes, was books",
                "'type' of the field 'pages' of the entity 'Book' is Int64, was Int",
                "'maximum' of the field 'pages' of the entity 'Book' is new: 9",
                "'minimum' of the field 'pages' of the entity 'Book' is gone, was 1",
                "the field 'price' of the entity 'Book' is new",
                "the index 'tomes_title' of the entity 'Book' is new",
                "'where' of the check 'some' of the entity 'Book' is \"pages > 1\", was \"pages > 0\"",
                "the field 'status' of the entity 'Book' is no longer declared",
                "the fields of the entity 'Book' are in another order, from 'pages' on",
                "'type' of the field 'file' of the case 'photo' of the union 'Cover' is String, was URL",
                "the field 'width' of the case 'photo' of the union 'Cover' is new",
                "the case 'drawn' of the union 'Cover' is new",
                "the case 'plain' of the union 'Cover' is no longer declared",
                "the entity 'Loan' is new",
                "the value 'Status' was an enum",
            ])
    }

    @Test("are at their places in the schema and in the version")
    func places() throws {
        let old = NormalizedSchemaTests.schema("entity: A\nfields:\n  a: Int\n  b: Int\n")
        let new = NormalizedSchemaTests.schema("entity: A\n\nfields:\n  a: String\n")
        let differences = new.differences(from: old)
        #expect(differences.map(\.range.start.line) == [4, 4])
        #expect(differences.map(\.earlier?.start.line) == [3, nil])
    }

    @Test("are not made by 'renamedFrom'")
    func decisions() {
        let old = "entity: A\nfields: { a: Int }\n"
        let new = "entity: A\nrenamedFrom: B\nfields: { a: { type: Int, renamedFrom: b } }\n"
        #expect(Self.messages(old, new) == [])
        #expect(Self.messages(new, old) == [])
    }

    @Test("name what was renamed, and compare it with what it was")
    func renames() {
        let old = """
            entity: Book
            fields: { pages: Int, title: String }
            ---
            union: Cover
            cases: { photo: { file: URL } }
            """
        let new = """
            entity: Tome
            renamedFrom: Book
            fields: { size: { type: Int64, renamedFrom: [length, pages] }, title: String }
            ---
            union: Cover
            cases: { photo: { source: { type: URL, renamedFrom: file } } }
            """
        #expect(
            Self.messages(old, new) == [
                "the field 'source' of the case 'photo' of the union 'Cover' was named 'file'",
                "the entity 'Tome' was named 'Book'",
                "'table' of the entity 'Tome' is tomes, was books",
                "the field 'size' of the entity 'Tome' was named 'pages'",
                "'type' of the field 'size' of the entity 'Tome' is Int64, was Int",
                "'column' of the field 'size' of the entity 'Tome' is size, was pages",
            ])
    }

    @Test("decide which 'renamedFrom' a version keeps")
    func keptDecisions() {
        func kept(_ old: String?, _ new: String) -> String {
            NormalizedSchemaTests.schema(new)
                .keepingDecisions(since: old.map { NormalizedSchemaTests.schema($0) }, number: 2)
                .text
        }
        let new = """
            entity: Book
            renamedFrom: [Tome, Volume]
            fields: { name: { type: String, renamedFrom: [title, label] }, size: { type: Int, renamedFrom: pages } }
            """
        #expect(kept(nil, new).contains("renamedFrom: [Tome, Volume]\n"))
        #expect(kept(nil, new).contains("renamedFrom: [title, label]"))
        let renamed = kept("entity: Volume\nfields: { label: String, size: Int }\n", new)
        #expect(renamed.contains("\nrenamedFrom: [Volume]\n"))
        #expect(renamed.contains("renamedFrom: [label]"))
        #expect(!renamed.contains("pages"))
        // What is spent is no decision of a later version.
        let later = kept("entity: Book\nfields: { name: String, size: Int, title: String }\n", new)
        #expect(!later.contains("renamedFrom"))
        // A table that moves is named by its table.
        let moved = "entity: A\ntable: others\nrenamedFrom: as\nfields: { a: Int }\n"
        #expect(kept("entity: A\nfields: { a: Int }\n", moved).contains("renamedFrom: [as]"))
        #expect(!kept("entity: A\ntable: others\n", moved).contains("renamedFrom"))
    }
}
