import ConditionLanguage
import Foundation
import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore
@testable import RepositoryRuntime
@testable import RepositorySQLCore

/// What the generator and the runtime both know, because neither imports the other, is the same.
@Suite("What generator and runtime both know")
struct SharedKnowledgeTests {
    @Test("the rules for the deletion of a record that others refer to")
    func deleteRules() {
        #expect(
            DeleteRule.allCases.map(\.rawValue)
                == TableReference.DeleteRule.allCases.map(\.rawValue))
    }

    @Test("the forms of columns")
    func columnForms() {
        let forms = StoredForm.allCases.filter { $0 != .encrypted }
        #expect(StoredColumnForm.allCases.map(\.rawValue) == forms.map(\.rawValue))
        #expect(StoredColumnForm.dates.map(\.rawValue) == DateForm.allCases.map(\.rawValue))
    }

    @Test("how large a condition SQLite decides")
    func conditions() {
        #expect(SQLiteConditions.mostParts == SQLConditionWriter.largestCondition)
        #expect(SQLiteConditions.mostValues == SQLConditionWriter.longList)
    }

    @Test(
        "which decimals with a scale can be stored",
        arguments: [
            ("0", 2), ("-0.01", 2), ("1.005", 2), ("1.50", 1), ("92233720368547758.07", 2),
            ("92233720368547758.08", 2), ("-92233720368547758.08", 2),
            ("-92233720368547758.09", 2), ("9223372036854775807", 0), ("9223372036854775808", 0),
            ("9.223372036854775807", 18), ("9.223372036854775808", 18), ("10", 18),
            ("99999999999999999999999999999999999999", 0),
        ])
    func decimals(text: String, scale: Int) throws {
        let value = try #require(
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
        let generated = NumberText(text)?.scaledInteger(scale)
        #expect(generated == StoredDecimal.scaledInteger(value, scale: scale))
        // What the generator takes as a default is stored unchanged.
        let check = LiteralCheck(
            scope: SchemaScope(SchemaSet(settings: SchemaSettings(), files: [], declarations: [])),
            scale: scale)
        let range = SourceRange(path: "", start: .start, end: .start)
        let problem = check.problem(
            Located(.scalar(text, isPlain: true), at: range), as: .base(.decimal))
        #expect((problem == nil) == (StoredDecimal.rounded(value, scale: scale) == value))
    }

    /// Values of each kind, in ascending order.
    private static let ordered: [(type: StoredType, values: [StoredValue])] = [
        (.bool, [.bool(false), .bool(true)]),
        (.int64, [.integer(.min), .integer(-1), .integer(0), .integer(.max)]),
        (.double, [.double(-1.5), .double(0), .double(2)]),
        (.decimal(scale: nil), [-1, 0, 2].map { .decimal(Decimal($0)) }),
        (.date, [-9, 0, 9].map { .date(Date(timeIntervalSince1970: $0)) }),
        (.text, [.text(""), .text("\u{1}"), .text("a"), .text("b")]),
        (.data, [.data(Data()), .data(Data([0])), .data(Data([1]))]),
        (
            .uuid,
            [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))]
        ),
    ]

    @Test("that null is the smallest value, in every order of the runtime")
    func null() {
        for (type, values) in Self.ordered {
            for value in values {
                #expect(StoredValue.null < value, "\(value)")
                #expect(!(value < .null), "\(value)")
                for descending in [false, true] {
                    var (null, other) = (IndexKeyWriter(), IndexKeyWriter())
                    null.append(.null, type, descending: descending)
                    other.append(value, type, descending: descending)
                    let precedes = IndexKey(null.bytes) < IndexKey(other.bytes)
                    #expect(precedes == !descending, "\(value)")
                }
            }
            #expect(values == values.sorted())
        }
    }
}
