import RepositorySchema
import Testing

@testable import RepositorySchemaParser

@Suite("Type expressions")
struct TypeExpressionTests {
    @Test(
        "read as they are written",
        arguments: [
            ("String", TypeExpression.base(.string)), ("Int8?", .optional(.base(.int8))),
            ("Author", .named("Author")), ("[String]", .list(.base(.string))),
            ("[ [Date?] ]", .list(.list(.optional(.base(.date))))),
            ("\"[String]?\"", .optional(.list(.base(.string)))),
            ("[String: Int]", .map(.base(.int))),
            ("'[String: Int]?'", .optional(.map(.base(.int)))),
            ("\"[String : [Money?]]\"", .map(.list(.optional(.named("Money"))))),
            ("{ type: [String] }", .list(.base(.string))),
            ("{ type: URL? }", .optional(.base(.url))),
        ])
    func read(text: String, expected: TypeExpression) throws {
        let result = parse("value: A\nfields:\n  f: \(text)\n")
        #expect(result.diagnostics == [])
        guard case .value(let value)? = result.set.declarations.first else {
            Issue.record("no value was read")
            return
        }
        #expect(value.fields.first?.type.value == expected)
    }

    @Test(
        "refused at the place of the mistake",
        arguments: [
            ("UInt64", 6), ("\"[UInt]\"", 8), ("Int??", 10), ("[Int: String]", 7),
            ("\"[Int: String]\"", 8), ("Array<Int>", 11), ("\"[Int\"", 11), ("[Int, String]", 6),
            ("Money.Amount", 6), ("String(20)", 12), ("", 5),
        ])
    func refused(text: String, column: Int) {
        let result = parse("value: A\nfields:\n  f: \(text)\n")
        #expect(result.diagnostics.map(\.range.start.line) == [3])
        #expect(result.diagnostics.map(\.range.start.column) == [column], "\(result.diagnostics)")
    }

    private func parse(_ text: String) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaParser.parse(
            files: [SchemaSource(path: "A.yaml", bytes: Array(text.utf8))], settings: nil)
    }
}
