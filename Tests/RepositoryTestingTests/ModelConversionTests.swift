import Foundation
import RepositoryRuntime
import StoredSchema
import Testing

@testable import RepositoryTesting

/// The plain model of a conversion and the one of the stores are written independently.
@Suite("The model of conversions")
struct ModelConversionTests {
    /// Conversions of external data are refused before any value is converted.
    private static let shapes =
        StoredBaseType.allCases.filter { $0 != .externalData }.map { StoredShape($0) }
        + [0, 2].map { StoredShape(.decimal, scale: $0) }

    private static let texts: [StoredValue] = [
        "", "1", "-1", "+1", "01", "1.0", "1.50", "1e3", "0x10", " 1", "300", "70000", "nan", "inf",
        "true", "TRUE", "2024-02-29T12:30:00Z", "2024-02-29T12:30:00.123456+01:30", "2024-02-29",
        "2023-02-29", "0000-01-01", "9999-12-31",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
        "https://example.org/a", "9223372036854775807", "9223372036854775808", "1e400",
    ].map { .text($0) }

    private static let numbers: [StoredValue] =
        [0, 1, -1, 127, 128, -129, 255, 256, 65_535, 65_536, 1 << 24 + 1, 1 << 53 + 1, .max, .min]
        .map { .integer($0) }
        + [0, 0.5, -1, 1e15, 1e16, 1e300, 3.4e38, 3.5e38, 0.1, 300].map { .double($0) }
        + [0, 1, -1.25, 0.001, 300, 1_234_567.89].map { .decimal($0) }

    @Test("agrees with the stores for every pair of types", arguments: shapes)
    func agrees(from: StoredShape) throws {
        var random = RandomValues(source: SeededGenerator(seed: 3), hasWholeSeconds: false)
        let field = StoredField(name: "field", columns: [], type: from)
        var values: [StoredValue] = [.null]
        for _ in 0..<60 {
            let value = random.value(of: field, hints: [])
            values.append(try #require(value))
        }
        switch from {
        case .single("text"): values += Self.texts
        case .single("double"), .single("int64"), .single("decimal"):
            values += Self.numbers.filter { value in
                switch (value, from) {
                case (.integer, .single("int64")), (.double, .single("double")),
                    (.decimal, .single("decimal")):
                    true
                default: false
                }
            }
        default: break
        }
        for to in Self.shapes {
            for (shape, isOptional) in [
                (to, false), (to, true), (.list(to, optionalElements: false), false),
            ] {
                let conversion = ValueConversion(from: from, to: shape, isOptional: isOptional)
                for value in values {
                    let result = ModelConversion.converted(
                        value, to: shape, isOptional: isOptional, cases: nil)
                    #expect(
                        result == conversion.converted(value), "\(value) from \(from) to \(shape)")
                }
            }
        }
    }

    @Test("agrees with the stores for the cases of enums, and for lists and maps")
    func containers() {
        let list = StoredValue.list([.text("1"), .text("2")])
        let map = StoredValue.object(["a": .text("1"), "b": .text("3")])
        for cases in [["1", "2"], ["1", "2", "3"]] {
            for (value, from, to) in [
                (
                    list, StoredShape.list(.single("text"), optionalElements: false),
                    StoredShape.list(.single("int64"), optionalElements: false)
                ),
                (
                    map, .map(.single("text"), optionalElements: false),
                    .map(.single("int64"), optionalElements: false)
                ),
            ] {
                let conversion = ValueConversion(
                    from: from, to: to, isOptional: false, cases: cases)
                #expect(
                    ModelConversion.converted(value, to: to, isOptional: false, cases: cases)
                        == conversion.converted(value))
            }
        }
    }
}
