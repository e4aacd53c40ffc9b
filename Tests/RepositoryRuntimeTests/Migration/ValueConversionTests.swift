import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite("Values in another type")
struct ValueConversionTests {
    private func converted(
        _ value: StoredValue, _ old: String, to new: String, optional: Bool = false,
        cases: [String]? = nil
    ) -> StoredValue? {
        ValueConversion(
            from: .single(old), to: .single(new), isOptional: optional, cases: cases
        ).converted(value)
    }

    @Test func integersBecomeDecimalsAndNumbers() {
        #expect(converted(.integer(1999), "int64", to: "decimal(2)") == .decimal(1999))
        #expect(converted(.integer(-7), "int64", to: "double") == .double(-7))
        // 2⁵³ + 1 has no exact Double.
        #expect(converted(.integer(9_007_199_254_740_993), "int64", to: "double") == nil)
        #expect(converted(.integer(16_777_217), "int64", to: "float") == nil)
    }

    @Test(arguments: [
        ("int8", 127, true), ("int8", 128, false), ("int16", -32_768, true),
        ("int16", -32_769, false), ("int32", 2_147_483_648, false), ("uint8", 255, true),
        ("uint8", -1, false), ("uint16", 65_536, false), ("uint32", 4_294_967_295, true),
    ])
    func narrowerIntegersKeepTheirBounds(type: String, value: Int64, fits: Bool) {
        let result = converted(.integer(value), "int64", to: type)
        #expect(result == (fits ? .integer(value) : nil))
    }

    @Test func numbersWithAFractionDoNotFitIntegers() {
        #expect(converted(.double(3), "double", to: "int64") == .integer(3))
        #expect(converted(.double(3.5), "double", to: "int64") == nil)
        #expect(converted(.double(.nan), "double", to: "int64") == nil)
        #expect(converted(.double(1e300), "double", to: "int64") == nil)
        #expect(converted(.decimal(3), "decimal", to: "int32") == .integer(3))
        #expect(converted(.decimal(Decimal(string: "3.5") ?? 0), "decimal", to: "int32") == nil)
    }

    @Test func decimalsKeepTheirDigits() {
        let cents = Decimal(string: "19.99") ?? 0
        #expect(converted(.decimal(cents), "decimal(4)", to: "decimal(2)") == .decimal(cents))
        #expect(converted(.decimal(cents), "decimal(4)", to: "decimal(1)") == nil)
        #expect(
            converted(.double(0.1), "double", to: "decimal(2)")
                == .decimal(Decimal(string: "0.1") ?? 0))
        #expect(converted(.decimal(cents), "decimal", to: "double") == .double(19.99))
        #expect(converted(.double(.infinity), "double", to: "decimal") == nil)
    }

    @Test func allSingleValuesBecomeTexts() throws {
        let uuid = try #require(UUID(uuidString: "0198A3F2-0000-7000-8000-00000000000A"))
        let values: [(StoredValue, String)] = [
            (.integer(-12), "-12"), (.bool(true), "true"), (.double(0.5), "0.5"),
            (.decimal(Decimal(string: "1.50") ?? 0), "1.5"), (.uuid(uuid), uuid.uuidString),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01T00:00:00.000000Z"),
            (.data(Data([1, 2])), "AQI="),
        ]
        for (value, text) in values {
            #expect(converted(value, "any", to: "text") == .text(text))
        }
    }

    @Test func textsBecomeNumbersDatesAndIDs() throws {
        let uuid = try #require(UUID(uuidString: "0198A3F2-0000-7000-8000-00000000000A"))
        let date = StoredValue.date(Date(timeIntervalSinceReferenceDate: 1.5))
        #expect(converted(.text("12"), "text", to: "int8") == .integer(12))
        #expect(converted(.text("12a"), "text", to: "int64") == nil)
        #expect(converted(.text(""), "text", to: "int64") == nil)
        #expect(
            converted(.text("1.25"), "text", to: "decimal(2)")
                == .decimal(Decimal(string: "1.25") ?? 0))
        #expect(converted(.text("1e2"), "text", to: "double") == .double(100))
        #expect(converted(.text("inf"), "text", to: "double") == nil)
        #expect(converted(.text(uuid.uuidString.lowercased()), "text", to: "uuid") == .uuid(uuid))
        #expect(converted(.text("2001-01-01T00:00:01.5Z"), "text", to: "date") == date)
        #expect(converted(.text("2001-01-01T01:00:01.5+01:00"), "text", to: "date") == date)
        #expect(converted(.text("yesterday"), "text", to: "date") == nil)
        #expect(converted(.text("true"), "text", to: "bool") == .bool(true))
        #expect(converted(.text("yes"), "text", to: "bool") == nil)
    }

    @Test func textsBecomeDaysAndBack() {
        let day = StoredValue.text("2026-11-22")
        #expect(converted(day, "text", to: "localDate") == day)
        #expect(converted(day, "localDate", to: "text") == day)
        #expect(converted(.text("2026-11-31"), "text", to: "localDate") == nil)
        #expect(converted(.text("2026-11-22T00:00:00Z"), "text", to: "localDate") == nil)
        // Only the program knows the time zone.
        #expect(converted(.date(Date(timeIntervalSince1970: 0)), "date", to: "localDate") == nil)
        #expect(converted(day, "localDate", to: "date") == nil)
        #expect(converted(.integer(20_261_122), "int64", to: "localDate") == nil)
    }

    @Test func onlyCasesFitAnEnum() {
        let cases = ["1", "2"]
        #expect(converted(.integer(2), "int64", to: "int64", cases: cases) == .integer(2))
        #expect(converted(.integer(3), "int64", to: "int64", cases: cases) == nil)
        #expect(converted(.text("1"), "text", to: "int64", cases: cases) == .integer(1))
    }

    @Test func nullFitsOptionalTypesOnly() {
        #expect(converted(.null, "int64", to: "text", optional: true) == .null)
        #expect(converted(.null, "int64", to: "text") == nil)
    }

    @Test func valuesBecomeLists() {
        let conversion = ValueConversion(
            from: .single("int64"), to: .list(.single("text"), optionalElements: false),
            isOptional: false)
        #expect(conversion.converted(.integer(4)) == .list([.text("4")]))
        #expect(conversion.converted(.null) == .list([]))
        let lists = ValueConversion(
            from: .list(.single("text"), optionalElements: true),
            to: .list(.single("int64"), optionalElements: false), isOptional: false)
        #expect(
            lists.converted(.list([.text("1"), .text("2")])) == .list([.integer(1), .integer(2)]))
        #expect(lists.converted(.list([.text("1"), .null])) == nil)
    }
}
