import Foundation
import Generated
import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite struct StoredSchemaTests {
    /// What is written is read back, byte for byte the same when it is written again.
    @Test func roundTrip() throws {
        let described = SchemaOpening(Library.schema, in: nil, form: .columns).result
        let json = try described.json()
        let again = try StoreDescription(json: json, store: "a test")
        #expect(again == described)
        #expect(try again.json() == json)
        let schema = SchemaDescription(Library.schema)
        #expect(again.tables.map(\.table) == schema.tables)
        #expect(schema.tables.map(\.name) == ["authors", "books", "clients", "loans"])
        #expect(schema.fingerprint.count == 64)
    }

    /// Every kind of type and constant goes through JSON unchanged.
    @Test func everyTypeAndConstant() throws {
        let inner = FieldLayout("Inner", [FieldDescription("a", .text, optional: true)])
        let types: [StoredType] = [
            .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .float, .double,
            .decimal(scale: nil), .decimal(scale: 4), .date, .text, .url, .uuid, .data,
            .composite(inner), .object(inner), .list(.text, optionalElements: true),
            .map(.list(.object(inner))),
        ]
        let constants: [StoredValue] = [
            .null, .bool(true), .integer(.min), .double(0.1), .decimal(Decimal(1) / 8),
            .date(Date(timeIntervalSince1970: 0.000_001)), .uuid(UUID()), .text("\u{1F600}\""),
            .data(Data([0, 255])), .list([.null, .integer(1)]), .object(["k": .text("v")]),
        ]
        var table = EntityTable("all", entity: "All")
        for (index, type) in types.enumerated() { table.field("t\(index)", type) }
        for (index, value) in constants.enumerated() {
            table.field(
                "c\(index)", .text, default: value,
                rules: FieldRules(minimum: value, maxLength: index, pattern: "a"))
        }
        let described = SchemaOpening(StoreSchema("S", [table]), in: nil, form: .columns).result
        #expect(try StoreDescription(json: described.json(), store: "a test") == described)
    }

    /// Order, Swift names, earlier names and sensitivity are not part of stored data; everything
    /// else is.
    @Test func fingerprint() {
        func fingerprint(_ make: (inout EntityTable) -> Void, entity: String = "A") -> String {
            var table = EntityTable("t", entity: entity)
            make(&table)
            return SchemaDescription(StoreSchema(entity, [table])).fingerprint
        }
        let plain = fingerprint {
            $0.field("a", .text)
            $0.field("b", .int64)
        }
        let same = [
            fingerprint(
                {
                    $0.field("b", .int64, sensitive: true)
                    $0.field("a", .text, renamedFrom: ["z"], columnsRenamedFrom: ["y"])
                }, entity: "B")
        ]
        #expect(same.allSatisfy { $0 == plain })
        let others: [(inout EntityTable) -> Void] = [
            { $0.field("a", .text) },
            {
                $0.field("a", .text, column: "x"); $0.field("b", .int64)
            },
            {
                $0.field("a", .text, optional: true); $0.field("b", .int64)
            },
            {
                $0.field("a", .text, default: .text("")); $0.field("b", .int64)
            },
            {
                $0.field("a", .text, rules: FieldRules(minLength: 1)); $0.field("b", .int64)
            },
            {
                $0.field("a", .text, key: true); $0.field("b", .int64)
            },
            {
                $0.field("a", .text); $0.field("b", .int32)
            },
            {
                $0.field("a", .text); $0.field("b", .int64, version: true)
            },
            {
                $0.field("a", .text); $0.field("b", .int64); $0.index("i", ["a"])
            },
            {
                $0.field("a", .text, reference: TableReference("t")); $0.field("b", .int64)
            },
        ]
        let all = Set(others.map { fingerprint($0) } + [plain])
        #expect(all.count == others.count + 1)
    }

    /// The history grows by one schema at a time and never holds one twice.
    @Test func history() {
        let first = SchemaDescription(StoreSchema("S", [EntityTable("a", entity: "A")]))
        let next = StoreSchema("S", [EntityTable("b", entity: "B")])
        let second = SchemaDescription(next, after: first)
        #expect(second.history == [first.fingerprint, second.fingerprint])
        #expect(SchemaDescription(next, after: second).history == second.history)
    }

    /// A description in another form, and one that is none, are refused with the reason.
    @Test func unreadable() {
        for (format, writer) in [
            (1, "an unreleased version of this package"),
            (StoreDescription.formatVersion - 1, "an unreleased version of this package"),
            (StoreDescription.formatVersion + 1, "a newer program"),
        ] {
            let other = Data("{\"format\": \(format), \"sets\": [], \"tables\": []}".utf8)
            let error = #expect(throws: CRUDRepositoryError.self) {
                try StoreDescription(json: other, store: "a test")
            }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("written by \(writer)") == true)
        }
        for text in ["", "{}", "{\"format\": \(StoreDescription.formatVersion)}", "[]"] {
            let error = #expect(throws: CRUDRepositoryError.self) {
                try StoreDescription(json: Data(text.utf8), store: "a test")
            }
            #expect(error?.code == .schemaMismatch)
        }
    }

    /// The hash is that of FIPS 180-4.
    @Test func hash() {
        #expect(
            SHA256.hexadecimal("abc".utf8)
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hexadecimal("".utf8)
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hexadecimal(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
}
