import StoredSchema
import Testing

@testable import ConditionLanguage

/// A program that runs parses conditions and checks them against the description of a store.
@Suite("Conditions on the tables of a store")
struct StoredConditionTests {
    private static func field(
        _ name: String, _ base: StoredBaseType, isOptional: Bool = false, cases: [String]? = nil
    ) -> StoredField {
        var field = StoredField(
            name: name, columns: [name], type: StoredShape(base), isOptional: isOptional)
        field.cases = cases
        return field
    }

    private static func reference(
        _ name: String, to table: String, isOptional: Bool = false
    ) -> StoredField {
        var field = field(name, .uuid, isOptional: isOptional)
        field.reference = StoredReference(table: table, onDelete: "deny")
        return field
    }

    private static let books: StoredTable = {
        var secret = field("secret", .text)
        secret.storedAs = StoredField.encrypted
        return StoredTable(
            name: "books",
            fields: [
                field("isbn", .text), field("title", .text),
                field("subtitle", .text, isOptional: true),
                field("pages", .int64), field("copies", .int8), field("price", .decimal),
                field("ratio", .double, isOptional: true),
                field("sold", .bool), field("seen", .bool, isOptional: true),
                field("updatedAt", .date), field("day", .localDate), field("site", .url),
                field("key", .uuid), field("cover", .externalData, isOptional: true),
                field("thumbnail", .data, isOptional: true),
                field("status", .text, cases: ["lost", "onLoan"]),
                StoredField(
                    name: "tags", columns: ["tags"],
                    type: .list(StoredShape(.text), optionalElements: false)),
                StoredField(
                    name: "counts", columns: ["counts"],
                    type: .map(StoredShape(.int64), optionalElements: false)),
                StoredField(
                    name: "shelf", columns: ["shelf"],
                    type: .object([
                        StoredMember(name: "room", type: StoredShape(.text)),
                        StoredMember(name: "row", type: StoredShape(.int64)),
                    ]), isOptional: true),
                reference("authorID", to: "authors"),
                reference("sequelID", to: "books", isOptional: true),
                reference("entryID", to: "entries"), reference("goneID", to: "gone"), secret,
            ],
            key: ["isbn"])
    }()

    private static let scope = StoredScope(
        [
            books,
            StoredTable(
                name: "authors",
                fields: [field("id", .uuid), field("name", .text), field("born", .localDate)],
                key: ["id"]),
            StoredTable(
                name: "entries",
                fields: [field("list", .text), field("position", .int64)],
                key: ["list", "position"]),
        ],
        relations: [
            "authors": [StoredScope.Relation("books", to: "books")],
            "books": [StoredScope.Relation("readers", to: "authors", isJoined: true)],
        ])

    private static func checker() throws -> ConditionChecker<StoredScope> {
        ConditionChecker(try #require(scope.context(of: "books")))
    }

    /// What a condition means, with the stored names of fields and the types of values.
    private static func text(_ condition: CheckedCondition<StoredScope>) -> String {
        switch condition {
        case .all(let parts): "(" + parts.map(text).joined(separator: " && ") + ")"
        case .any(let parts): "(" + parts.map(text).joined(separator: " || ") + ")"
        case .not(let inner): "!" + text(inner)
        case .compare(let field, let comparison, let value):
            "\(text(field)) \(comparison.rawValue) \(text(value))"
        case .compareFields(let field, let comparison, let other):
            "\(text(field)) \(comparison.rawValue) \(text(other))"
        case .isIn(let field, let values):
            "\(text(field)) in [\(values.map(text).joined(separator: ", "))]"
        case .isInParameter(let field, let parameter): "\(text(field)) in $\(parameter)"
        case .function(let function, let field, let value):
            "\(function.rawValue)(\(text(field)), \(text(value)))"
        case .isNull(let field): "\(text(field)) isNull"
        case .related(let quantifier, let relation, let condition):
            "\(quantifier.rawValue)(\(relation.target.name) by "
                + "\(relation.properties.joined(separator: ".")), \(text(condition)))"
        case .count(let relation, let comparison, let value):
            "count(\(relation.properties.joined(separator: "."))) \(comparison.rawValue) "
                + text(value)
        }
    }

    private static func text(_ field: ConditionField<StoredScope>) -> String {
        field.properties.joined(separator: ".")
    }

    private static func text(_ value: ConditionValue<StoredScope>) -> String {
        switch value {
        case .literal(let text, let type), .identifier(_, let text, let type):
            guard case .single(let name) = type.shape, let base = StoredBaseType.parsed(name)?.base
            else { return "?" }
            return "\(StoredConstant(literal: text, as: base))"
        case .parameter(let name): return "$\(name)"
        }
    }

    @Test(
        "name stored fields and have typed values",
        arguments: [
            ("pages > 300", "pages > integer(300)"), ("300 < pages", "pages > integer(300)"),
            ("title == 'Kallocain'", #"title == text("Kallocain")"#),
            ("price >= 1.50", #"price >= decimal("1.5")"#),
            ("ratio < 0.5", "ratio < double(0.5)"),
            ("sold", "sold == bool(true)"), ("!sold", "sold == bool(false)"),
            ("!seen", "seen != bool(true)"),
            ("updatedAt > 1970-01-02", "updatedAt > date(86400000000)"),
            ("day == 2024-02-29", #"day == text("2024-02-29")"#),
            ("site == 'https://a.b'", #"site == text("https://a.b")"#),
            (
                "key == '0c9a8f4e-0000-4000-8000-00000000000a'",
                #"key == uuid("0C9A8F4E-0000-4000-8000-00000000000A")"#
            ),
            ("status == onLoan", #"status == text("onLoan")"#),
            ("lost != status", #"status != text("lost")"#),
            ("status in [lost, onLoan]", #"status in [text("lost"), text("onLoan")]"#),
            ("subtitle isNull", "subtitle isNull"),
            ("contains(tags, 'new')", #"contains(tags, text("new"))"#),
            ("hasPrefix(shelf.room, 'A')", #"hasPrefix(shelf.room, text("A"))"#),
            ("shelf.row isNull", "shelf.row isNull"),
            ("id == '12' || isbn == '12'", #"(isbn == text("12") || isbn == text("12"))"#),
            (
                "author == '0c9a8f4e-0000-4000-8000-00000000000a'",
                #"authorID == uuid("0C9A8F4E-0000-4000-8000-00000000000A")"#
            ),
            ("author.name == 'Boye'", #"author.name == text("Boye")"#),
            ("sequel == isbn", "sequelID == isbn"), ("copies < copies", "copies < copies"),
            ("any(readers, name == 'A')", #"any(authors by readers, name == text("A"))"#),
            ("count(author.books) > 2", "count(author.books) > integer(2)"),
            ("secret == 'a'", #"secret == text("a")"#),
            (
                "sold && !(pages > 1 || none(readers, born < 1900-01-01))",
                "(sold == bool(true) && !(pages > integer(1) || "
                    + #"none(authors by readers, born < text("1900-01-01"))))"#
            ),
        ])
    func meaning(condition: String, expected: String) throws {
        var checker = try Self.checker()
        let checked = checker.check(condition)
        #expect(checker.problems.map(\.message) == [])
        #expect(checked.map(Self.text) == expected)
    }

    @Test(
        "tell each mistake at its place",
        arguments: [
            (
                "titel == 'a'", 0..<5, "the table 'books' has no field 'titel'",
                "did you mean 'title'?"
            ),
            (
                "authorID == 'a'", 0..<8, "the table 'books' has no field 'authorID'",
                "write the name as it is declared: 'author'"
            ),
            (
                "author.nam == 'a'", 7..<10, "the table 'authors' has no field 'nam'",
                "did you mean 'name'?"
            ),
            (
                "shelf.rom == 'a'", 6..<9, "the value has no field 'rom'", "did you mean 'room'?"
            ),
            ("title.a == 'a'", 6..<7, "'title' is a String, which has no fields", nil),
            (
                "isbn.a == 'a'", 5..<6, "'isbn' is an id, which has no fields",
                "compare the id itself"
            ),
            ("pages == 'x'", 9..<12, "'pages' is an Int64, and this is a text", nil),
            (
                "pages == '3'", 9..<12, "'pages' is an Int64, and this is a text",
                "write it without quotes"
            ),
            ("title == 3", 9..<10, "'title' is a String, and this is a number", "quote it: \"3\""),
            ("pages == true", 9..<13, "'pages' is an Int64, and this is a Bool", nil),
            (
                "copies == 300", 10..<13, "'300' is no value of the type Int8",
                "write a whole number from -128 to 127"
            ),
            (
                "updatedAt > 2024", 12..<16, "'2024' is no value of the type Date",
                "write '2024-02-29' or '2024-02-29T12:30:00Z'"
            ),
            (
                "day > 2023-02-29", 6..<16, "'2023-02-29' is no value of the type LocalDate",
                "write a day of the years 1 to 9999 such as '2024-02-29'"
            ),
            (
                "price > 1e3", 8..<11, "'1e3' is no value of the type Decimal",
                "write a number such as 12.50"
            ),
            (
                "key == 'a'", 7..<10, "'a' is no value of the type UUID",
                "write 8-4-4-4-12 hexadecimal digits"
            ),
            (
                "site == 'ä'", 8..<11, "'ä' is no value of the type URL",
                "write it in ASCII, with '%20' and the like for other characters"
            ),
            ("thumbnail == 'a'", 13..<16, "Data cannot be written in a schema", nil),
            (
                "cover isNull", 0..<5, "'cover' is external data, which conditions cannot read",
                "compare another field"
            ),
            ("status == opn", 10..<13, "the enum has no case 'opn'", "the cases are: lost, onLoan"),
            (
                "status == 'lost'", 10..<16, "a case of the enum is written without quotes",
                "write lost"
            ),
            (
                "title == Dune", 9..<13, "'Dune' is no value of a String",
                "quote a text: \"Dune\""
            ),
            (
                "subtitle == null", 12..<16, "'null' is no value",
                "write 'subtitle isNull' or '!(subtitle isNull)'"
            ),
            (
                "updatedAt < now", 12..<15, "'now' is no value in a condition",
                "write the moment: '2024-02-29T12:30:00Z'"
            ),
            (
                "title isNull", 0..<5, "'title' is never null",
                "remove the condition, or declare the field as optional"
            ),
            (
                "pages", 0..<5, "'pages' is an Int64, and only a Bool is a condition by itself",
                "compare it: 'pages == …'"
            ),
            (
                "1 == 2", 0..<6, "a field stands on neither side of '=='",
                "compare a field with a value"
            ),
            (
                "pages == title", 9..<14, "'pages' is an Int64, and 'title' is a String",
                "compare two fields of one type"
            ),
            (
                "pages == author.born", 9..<20,
                "'author.born' is a field of another record, which is compared with a value only",
                "compare two fields of one record"
            ),
            (
                "tags == 'a'", 0..<4, "'tags' is a list, which cannot be compared",
                "write 'contains(tags, …)'"
            ),
            (
                "counts == 1", 0..<6, "'counts' is a map, which cannot be compared",
                "'isNull' is all that can be asked of it"
            ),
            (
                "shelf == 1", 0..<5, "'shelf' is a value, which cannot be compared",
                "compare its fields: 'shelf.room'"
            ),
            (
                "contains(pages, 1)", 9..<14,
                "'contains' looks into a String or a list; 'pages' is an Int64", nil
            ),
            (
                "entry < 1", 0..<5, "an id of several components has no order",
                "write '==' or '!='"
            ),
            ("entry == 1", 9..<10, "the id of 'entries' cannot be written in a condition", nil),
            (
                "title == $title", 9..<15,
                "a condition that is not part of a program has no parameters",
                "compare with a value, not with '$title'"
            ),
            (
                "pages in $list", 9..<14,
                "a condition that is not part of a program has no parameters",
                "compare with a value, not with '$list'"
            ),
            (
                "$a", 0..<2, "a condition that is not part of a program has no parameters",
                "compare with a value, not with '$a'"
            ),
            (
                "any(loans, pages > 1)", 4..<9, "the table 'books' has no relation 'loans'",
                "the relations are: readers"
            ),
            (
                "readers == 1", 0..<7, "the table 'books' has no field 'readers'",
                "a relation stands in 'any(readers, …)', 'none', 'all' or 'count(readers)'"
            ),
            (
                "count(readers) > title", 17..<22,
                "the number of records is compared with a number",
                "write a number"
            ),
            (
                "sequel.sequel.sequel.sequel.sequel.sequel.sequel.sequel.sequel.title == 'a'",
                63..<68, "the condition follows more than 8 references one after another", nil
            ),
            ("a = 1", 2..<3, "'=' is no operator", "write '=='"),
            (
                "(pages > 1", 0..<1, "this '(' is not closed",
                "close it; a condition with commas must be quoted inside '{ … }'"
            ),
        ] as [(String, Range<Int>, String, String?)])
    func mistakes(
        condition: String, place: Range<Int>, message: String, help: String?
    ) throws {
        var checker = try Self.checker()
        #expect(checker.check(condition).map(Self.text) == nil)
        #expect(checker.problems.map(\.message) == [message])
        #expect(checker.problems.first?.range == place)
        #expect(checker.problems.first?.help == help)
    }

    @Test("tell all mistakes of a condition at once")
    func allMistakes() throws {
        var checker = try Self.checker()
        _ = checker.check("titel == 'a' && pages in ['x', 1, y] || any(readers, nam == 'b')")
        #expect(checker.problems.map(\.range) == [0..<5, 26..<29, 34..<35, 53..<56])
    }

    @Test("treat a reference to a table that is not described as a plain value")
    func missingTable() throws {
        var checker = try Self.checker()
        let condition = "goneID == '0c9a8f4e-0000-4000-8000-00000000000a'"
        #expect(checker.check(condition).map(Self.text) != nil)
        #expect(Self.scope.context(of: "gone") == nil)
    }

    @Test("name each type as schemas do")
    func typeNames() {
        let names = StoredBaseType.allCases.map {
            Self.scope.name(of: StoredScope.FieldType(shape: StoredShape($0)))
        }
        #expect(
            names == [
                "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Float",
                "Double", "Decimal", "Date", "String", "URL", "UUID", "Data", "LocalDate", "Data",
            ])
        #expect(
            Self.scope.name(of: StoredScope.FieldType(shape: .single("decimal(2)"))) == "Decimal")
    }
}
