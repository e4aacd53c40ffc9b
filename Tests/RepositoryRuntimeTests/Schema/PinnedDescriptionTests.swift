import Foundation
import Generated
import RepositoryTesting
import StoredSchema
import Testing

@testable import RepositoryRuntime

/// Fingerprints and descriptions that are stored with existing data. They must never change.
///
/// A failure here means that programs could no longer open the data that earlier programs wrote.
/// Fix the code, not the expectation. Only a change of a schema itself changes its fingerprints.
@Suite("Pinned descriptions")
struct PinnedDescriptionTests {
    @Test("The fingerprints of the house schemas are what they were")
    func library() {
        let pinned = "a4759a680f87da9d10cb99b31d376d2ba060302120ece00d84b649456bc74b24"
        #expect(SchemaDescription(Library.schema, form: .documents).fingerprint == pinned)
        #expect(SchemaDescription(Library.schema, form: .columns).fingerprint == pinned)
    }

    @Test("The fingerprints of the conformance suite are what they were")
    func conformance() {
        let pinned = "1d1747464955033b91870787e1cc5fdd0441f7441ac9286e00409a65c2af56f1"
        #expect(SchemaDescription(Conformance.schema, form: .documents).fingerprint == pinned)
        #expect(SchemaDescription(Conformance.schema, form: .columns).fingerprint == pinned)
    }

    @Test("The fingerprint of a table with every kind of type and constant is what it was")
    func everything() {
        #expect(
            SchemaDescription(Self.everything, form: .columns).fingerprint
                == "f8ac9a2779ad30aa1e22ecc58efc5eef47b17bf6bd6fcf519d86b41a12775147")
    }

    @Test("A full-text search changes no fingerprint of records, but that of the indexes")
    func search() {
        let plain = Essay.Mapper.table
        var searched = EntityTable("essays", entity: "Essay")
        var other = searched
        for index in plain.layout.fields.indices.prefix(2) {
            let field = plain.layout.fields[index]
            searched.field(field.name, field.type, key: index == 0)
            other.field(field.name, field.type, key: index == 0)
        }
        searched.search(["title"])
        let schemas = [searched, other].map { StoreSchema("Essays", [$0]) }
        #expect(
            SchemaDescription(schemas[0], form: .columns).fingerprint
                == SchemaDescription(schemas[1], form: .columns).fingerprint)
        #expect(searched.indexFingerprint(format: "json") != other.indexFingerprint(format: "json"))
    }

    @Test("A date of creation changes no fingerprint")
    func creationDates() {
        var plain = EntityTable("deeds", entity: "Deed")
        plain.field("id", .text, key: true)
        plain.field("createdAt", .date)
        var created = plain
        created.created("createdAt")
        #expect(created != plain)
        for form in [SchemaComparison.Form.documents, .columns] {
            let all = [plain, created].map {
                SchemaDescription(StoreSchema("Deeds", [$0]), form: form).fingerprint
            }
            #expect(all[0] == all[1])
        }
    }

    /// The fingerprints of the indexes are stored with the index pages, which are rebuilt after a
    /// change.
    @Test("The fingerprint of the indexes of a table is what it was")
    func indexes() throws {
        let table = try #require(Self.everything.table("all"))
        #expect(
            table.indexFingerprint(format: "json")
                == "c33aa59769222deb694a304b4a8eea74a3d122f4dd1791d67a02076e192826c8")
    }

    @Test("The stored JSON is what it was, and is read back")
    func json() throws {
        let url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "EarlierStores/description.json")
        let opening = SchemaOpening(
            Self.everything, in: nil, form: .documents, recordFormat: "json")
        #expect(opening.differences.isEmpty)
        var description = opening.result
        description.revision = 3
        description.upgrade = UnfinishedUpgrade(set: "Everything", token: 7)
        let json = try description.json()
        let pinned = try Data(contentsOf: url)
        #expect(json == pinned)
        let read = try StoreDescription(json: pinned, store: "a test")
        #expect(read == description)
        #expect(try read.json() == pinned)
    }

    /// A schema with every kind of type, constant, rule, index and check.
    static let everything = StoreSchema("Everything", [all, parents])

    private static var all: EntityTable {
        let inner = FieldLayout(
            "Inner",
            [
                FieldDescription("a", .text, optional: true, renamedFrom: ["b"]),
                FieldDescription("shade", .text, default: .text("dark"), cases: Shade.self),
            ])
        let types: [StoredType] = [
            .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .float, .double,
            .decimal(scale: nil), .decimal(scale: 4), .date, .text, .url, .uuid, .data,
            .composite(inner), .object(inner), .list(.text, optionalElements: true),
            .map(.list(.object(inner))),
        ]
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 254, 255))
        let constants: [StoredValue] = [
            .null, .bool(true), .integer(.min), .double(0.1), .double(1e300), .double(5),
            .decimal(Decimal(1) / 8),
            .decimal(Decimal(sign: .minus, exponent: 30, significand: 12)),
            .decimal(0), .date(StoredDate.date(microseconds: -1_234_567)),
            .uuid(uuid), .text("\u{1F600}\"/\\e\u{301}"), .data(Data([0, 255, 62, 63])),
            .list([.null, .integer(1)]), .object(["k": .text("v"), "a": .null]),
        ]
        var table = EntityTable("all", entity: "All", renamedFrom: ["everything"])
        table.field("id", .text, key: true)
        for (index, type) in types.enumerated() { table.field("t\(index)", type) }
        for (index, value) in constants.enumerated() {
            table.field(
                "c\(index)", .text, default: value,
                rules: FieldRules(minimum: value, maxLength: index, pattern: "a/b"))
        }
        table.field("shade", .text, optional: true)
        table.cases(Shade.self)
        table.field(
            "parent", .uuid, column: "parent_id", storedAs: .blob, optional: true,
            reference: TableReference("parents", onDelete: .setNull), renamedFrom: ["elder"],
            columnsRenamedFrom: ["elder_id"])
        table.field("name", .text, ignoringCase: true, sensitive: true)
        table.field("revision", .int64, version: true)
        let name = QueryField<Book, String>(index(table, "name"))
        let number = QueryField<Book, Int>(index(table, "t4"))
        table.index("by_name", ["name", "-t4"], unique: true)
        table.index(
            "by_number", ["t4"],
            where: (number > 3 || number == -1) && !name.hasPrefix("Ä") && name != "Q\"\\")
        table.check("names", name.in(["b", "a"]) || number.in([3, 1, 2]), message: "No.")
        return table
    }

    private static var parents: EntityTable {
        var table = EntityTable("parents", entity: "Parent", managed: false)
        table.field("id", .uuid, storedAs: .blob, key: true)
        return table
    }

    private static func index(_ table: EntityTable, _ name: String) -> Int {
        table.layout.indexByKey[name] ?? -1
    }
}

private enum Shade: String, StoredEnum, CaseIterable {
    case light, dark
    case grey = "grau"
}
