internal import Foundation
internal import RepositoryRuntime

/// Writes the fields of a record as the cells of a CSV line.
struct CSVEncoder: FieldEncoder {
    /// The line so far, without its end.
    private(set) var line = ""

    private mutating func add(_ cell: String, at index: Int) {
        if index > 0 { line += "," }
        line += cell
    }

    /// A cell in quotes.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    mutating func encodeNil(at index: Int) throws { add("", at: index) }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { add("\(value)", at: index) }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws { add("\(value)", at: index) }
    mutating func encodeFloat(_ value: Float, at index: Int) throws { add("\(value)", at: index) }
    mutating func encodeDouble(_ value: Double, at index: Int) throws { add("\(value)", at: index) }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        add("\(value)", at: index)
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws {
        let micros = StoredDate.microseconds(value)
        // Years that RFC 3339 does not have are a number of microseconds since 1970.
        add(StoredDate.text(microseconds: micros) ?? "\(micros)", at: index)
    }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        add(value.uuidString, at: index)
    }
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        add(Self.quoted(value.absoluteString), at: index)
    }
    mutating func encodeString(_ value: String, at index: Int) throws {
        add(Self.quoted(value), at: index)
    }
    mutating func encodeData(_ value: Data, at index: Int) throws {
        add(Self.quoted(value.base64EncodedString()), at: index)
    }
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        add(Self.quoted(try JSONFieldText.encode(value)), at: index)
    }
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        add(Self.quoted(try JSONFieldText.encode(value)), at: index)
    }
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        add(Self.quoted(try JSONFieldText.encode(value)), at: index)
    }
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        add(Self.quoted(try JSONFieldText.encode(value)), at: index)
    }
}
