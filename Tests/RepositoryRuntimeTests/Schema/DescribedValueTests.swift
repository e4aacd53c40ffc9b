import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime

/// What the description of a schema is made of.
@Suite("Described values")
struct DescribedValueTests {
    @Test("Decimals have one canonical text")
    func decimals() {
        let texts = [
            ("0", "0"), ("-0.00", "0"), ("+12.50", "12.5"), ("007", "7"), (".5", "0.5"),
            ("5.", "5"), ("1e3", "1000"), ("-1.25E-3", "-0.00125"), ("120", "120"),
            ("0.10e1", "1"),
        ]
        for (text, canonical) in texts { #expect(DecimalNotation.canonical(text) == canonical) }
        for text in ["", ".", "-", "1e", "1 ", "--1", "0x1", "1e999", "NaN", "1.2.3"] {
            #expect(DecimalNotation.canonical(text) == nil, "\(text)")
        }
        #expect(DecimalNotation.canonical(String(repeating: "1", count: 40)) == nil)
    }

    @Test("Canonical decimals are Foundation's, in its order")
    func decimalsOfFoundation() throws {
        var values: [Decimal] = []
        for significand in [0, 1, -1, 10, 125, -999, 1_000_001] {
            for exponent in [-20, -3, -1, 0, 1, 5, 20] {
                values.append(
                    Decimal(
                        sign: significand < 0 ? .minus : .plus, exponent: exponent,
                        significand: Decimal(abs(significand))))
            }
        }
        for value in values {
            let text = try #require(DecimalNotation.canonical(value.description))
            #expect(StoredDecimal.value(ofText: text) == value)
            for other in values {
                let twin = try #require(DecimalNotation.canonical(other.description))
                #expect(DecimalNotation.precedes(text, twin) == (value < other), "\(text) \(twin)")
                #expect((text == twin) == (value == other))
            }
        }
    }

    @Test("A described constant has the value that it describes")
    func constants() {
        let values: [StoredValue] = [
            .null, .bool(true), .integer(.min), .double(-0.1), .decimal(Decimal(5) / 4),
            .date(StoredDate.date(microseconds: 1_500_000)), .uuid(UUID()), .text("e\u{301}"),
            .data(Data([0, 255, 62])), .list([.null]), .object(["k": .bool(false)]),
        ]
        for value in values { #expect(StoredValue(StoredConstant(value)) == value) }
        // Texts are compared by their bytes.
        #expect(StoredConstant.text("e\u{301}") != .text("\u{E9}"))
        #expect(StoredConstant.decimal("1.50") == .decimal("1.5"))
    }

    @Test("A constant that is not of its type cannot be read")
    func damage() {
        let texts = [
            #"{"decimal": "1.5x"}"#, #"{"uuid": "1"}"#, #"{"data": "a"}"#, #"{"data": "a==="}"#,
            #"{"date": "1"}"#,
        ]
        for text in texts {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode(StoredConstant.self, from: Data(text.utf8))
            }
        }
    }

    @Test("The delete rules that are not enforced are the same to the runtime")
    func deleteRules() {
        for rule in TableReference.DeleteRule.allCases {
            let reference = StoredReference(table: "t", onDelete: rule.rawValue)
            #expect(reference.isEnforced == rule.isEnforced)
        }
        #expect(StoredReference(table: "t", onDelete: "later").isEnforced)
    }

    /// Two descriptions can be compared without the program, and stored data does not see the
    /// names.
    @Test("Earlier names are part of a description in memory only")
    func earlierNames() throws {
        func table(_ names: [String]) -> EntityTable {
            let inner = FieldLayout(
                "Inner", [FieldDescription("a", .text, renamedFrom: names)])
            var table = EntityTable("t", entity: "T", renamedFrom: names)
            table.field("id", .text, key: true)
            table.field("f", .text, renamedFrom: names, columnsRenamedFrom: names)
            table.field("v", .object(inner))
            return table
        }
        let (plain, named) = (
            DeclaredSchema.of(StoreSchema("S", [table([])]), .columns),
            DeclaredSchema.of(StoreSchema("S", [table(["z"])]), .columns)
        )
        #expect(plain.fingerprint == named.fingerprint)
        #expect(plain.tables == named.tables)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(named.sortedTables)
        #expect(try encoder.encode(plain.sortedTables) == json)
        let described = try #require(named.table("t"))
        #expect(described.renamedFrom.names == ["z"])
        #expect(described.field("f")?.renamedFrom.names == ["z"])
        #expect(described.field("f")?.columnsRenamedFrom.names == ["z"])
        guard case .object(let members) = described.field("v")?.type else {
            Issue.record("no object")
            return
        }
        #expect(members.first?.renamedFrom.names == ["z"])
        let read = try JSONDecoder().decode([StoredTable].self, from: json)
        #expect(read.first?.renamedFrom.names == [])
    }

    @Test("The digest of cases covers enums and unions, and nothing else")
    func casesDigest() {
        func digest(_ cases: [String]?, _ union: [String], rules: Int? = nil) -> String {
            let members = union.map {
                StoredMember(name: $0, type: .object([]), isOptional: true)
            }
            var color = StoredField(name: "color", columns: ["color"], type: .single("text"))
            color.cases = cases
            color.rules = StoredRules(maxLength: rules)
            let shape = StoredShape.list(.object(members), optionalElements: false)
            let parts = StoredField(name: "parts", columns: ["parts"], type: shape)
            let table = StoredTable(name: "t", fields: [color, parts], key: ["color"])
            return DeclaredSchema(name: "S", tables: [table]).casesDigest
        }
        let first = digest(["a", "b"], ["x", "y"])
        #expect(digest(["b", "a"], ["y", "x"]) == first)
        #expect(digest(["a", "b"], ["x", "y"], rules: 3) == first)
        let others = [
            digest(["a"], ["x", "y"]), digest(nil, ["x", "y"]), digest([], ["x", "y"]),
            digest(["a", "b"], ["x"]), digest(["a", "b"], ["x", "z"]),
        ]
        #expect(Set(others + [first]).count == 6)
    }

    /// Files and programs may contain the codes: they can be added, not changed.
    @Test("The codes of changes are what they were")
    func codes() {
        #expect(
            SchemaChangeCode.allCases.map(\.rawValue).joined(separator: " ")
                == """
                table-added table-removed table-renamed table-migrated table-shared id-changed field-added \
                required-field-added field-removed field-renamed column-renamed column-taken \
                column-type-changed type-changed type-widened became-required became-optional \
                default-changed rules-changed folding-changed reference-added reference-removed \
                reference-changed delete-rule-changed cases-changed case-removed \
                required-member-added member-removed members-changed index-added index-removed \
                checks-changed format-changed version-field-changed soft-delete-added \
                soft-delete-removed records-outdated newer-program
                """)
    }
}
