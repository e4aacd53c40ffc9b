import Foundation
import Testing

@testable import RepositoryRuntime

@Suite("Values of a migration as bytes")
struct StoredBytesTests {
    private let values: [StoredValue] = [
        .null, .bool(true), .bool(false), .integer(.min), .integer(0), .integer(.max),
        .double(-0.5), .double(.infinity), .decimal(Decimal(string: "-12.340") ?? 0),
        .decimal(.greatestFiniteMagnitude), .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        .date(.distantPast), .uuid(UUID()), .text(""), .text("Zo\u{EB}"), .text("Zoe\u{308}"),
        .text("a\0b"), .data(Data()), .data(Data([0, 255])), .list([]),
        .list([.null, .list([.integer(1)])]), .object([:]),
        .object(["b": .integer(1), "a": .object(["x": .text("y")])]),
    ]

    @Test func everyValueSurvives() throws {
        for value in values {
            #expect(try StoredBytes.value(of: StoredBytes.bytes(of: value)) == value)
        }
    }

    @Test func equalValuesHaveEqualBytes() {
        #expect(Set(values.map(StoredBytes.bytes)).count == values.count)
        var (first, second): ([String: StoredValue], [String: StoredValue]) = ([:], [:])
        for number in 0..<50 { first["\(number)"] = .integer(1) }
        for number in (0..<50).reversed() { second["\(number)"] = .integer(1) }
        #expect(StoredBytes.bytes(of: .object(first)) == StoredBytes.bytes(of: .object(second)))
    }

    @Test func damagedBytesAreRejected() {
        let bytes = StoredBytes.bytes(of: .list(values))
        for count in 0..<bytes.count {
            #expect(throws: RecordDecodingError.self) {
                try StoredBytes.value(of: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: RecordDecodingError.self) { try StoredBytes.value(of: [200]) }
    }
}
