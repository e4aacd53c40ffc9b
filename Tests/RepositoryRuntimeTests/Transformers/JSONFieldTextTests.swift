import Foundation
import Generated
import RepositoryRuntime
import Testing

@Suite("One field's value as JSON text")
struct JSONFieldTextTests {
    private func roundTrip<V: FieldValue & Equatable>(
        _ value: V, _ text: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let encoded = try JSONFieldText.encode(value)
        #expect(encoded == text, sourceLocation: location)
        #expect(try JSONFieldText.decode(V.self, from: encoded) == value, sourceLocation: location)
    }

    @Test("Values and their texts")
    func texts() throws {
        try roundTrip([1, 2], "[1,2]")
        try roundTrip([Int](), "[]")
        try roundTrip([String: Int](), "{}")
        try roundTrip(["b": 1, "a": nil], #"{"a":null,"b":1}"#)
        try roundTrip([["a/ü\n"], []], #"[["a/ü\n"],[]]"#)
        try roundTrip(Shelf(room: "A", row: 1), #"{"room":"A","row":1}"#)
        try roundTrip([Shelf(room: "A", row: 1), nil], #"[{"room":"A","row":1},null]"#)
        try roundTrip(["x": Shelf(room: "A", row: 1)], #"{"x":{"room":"A","row":1}}"#)
        try roundTrip(Loan.ID(bookID: "b", number: 1), #"{"bookID":"b","number":1}"#)
        try roundTrip([Decimal(string: "1.50") ?? 0], "[1.5]")
        try roundTrip("x", #""x""#)
        try roundTrip(nil as Int?, "null")
        try roundTrip(
            [Date(timeIntervalSinceReferenceDate: 738_000_000.123456)], "[738000000.123456]")
        try roundTrip([1.0, -0.5, 1e300], "[1,-0.5,1e+300]")
        try roundTrip([Data([1])], #"["AQ=="]"#)
    }

    @Test("Errors have the path below the value")
    func errors() {
        #expect {
            try JSONFieldText.decode([Shelf].self, from: #"[{"room":"A","row":"x"}]"#)
        } throws: { error in
            (error as? RecordDecodingError)?.path == "0.row"
        }
        for text in ["", "[", "[1", "[1] 2", "x"] {
            #expect(throws: RecordDecodingError.self) {
                try JSONFieldText.decode([Int].self, from: text)
            }
        }
        #expect {
            try JSONFieldText.encode(["a": Double.nan])
        } throws: { error in
            (error as? CRUDRepositoryError)?.code == .invalidItem
        }
    }
}
