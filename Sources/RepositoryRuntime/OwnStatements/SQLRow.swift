internal import Foundation

/// A result row of a statement that the application wrote.
public struct SQLRow: Sendable {
    /// The names of the columns, in order. All rows of a result share the array.
    public let columns: [String]
    /// The values as the database returned them, in the order of the columns: null, integers,
    /// doubles, strings and bytes.
    public let values: [StoredValue]
    /// The position of the row in the result, counted from 0.
    let number: Int

    /// Creates a row.
    package init(columns: [String], values: [StoredValue], number: Int) {
        self.columns = columns
        self.values = values
        self.number = number
    }
}

extension SQLRow {
    /// Returns the value of a column, counted from 0, as a Swift type:
    /// `try row.value(Int.self, at: 0)`.
    ///
    /// - Throws: `invalidRecord` with the name of the column if the value has another type, or if
    ///   there is no such column.
    public func value<V: FieldValue>(_ type: V.Type = V.self, at column: Int) throws -> V {
        guard values.indices.contains(column) else {
            throw failure("column \(column + 1)", "is not there")
        }
        do {
            var fields = SQLValueDecoder(values: values)
            return try V.decode(from: &fields, at: column)
        } catch let error as RecordDecodingError {
            let path = error.path.isEmpty ? "" : " at '\(error.path)'"
            throw failure("the column '\(columns[column])'\(path)", error.reason, columns[column])
        }
    }

    /// Returns the value of the first column with a name.
    ///
    /// - Throws: `invalidRecord` with the name of the column if the value has another type, or if
    ///   there is no such column.
    public func value<V: FieldValue>(_ type: V.Type = V.self, named name: String) throws -> V {
        let place = columns.firstIndex { String.isSameIdentifier($0, name) }
        guard let place else { throw failure("the column '\(name)'", "is not there", name) }
        return try value(type, at: place)
    }

    private func failure(
        _ place: String, _ reason: String, _ column: String? = nil
    ) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .invalidRecord, "In row \(number + 1), \(place) \(reason).", field: column)
    }
}

/// Decodes Swift values from the values that a database returned.
///
/// It accepts what a query can compute, for example an integer for a date (microseconds) and text
/// for a UUID or a decimal.
private struct SQLValueDecoder: FieldDecoder {
    /// The values of the row.
    let values: [StoredValue]

    /// Returns the error for a value that is not of the expected kind.
    private func failure(_ kind: String) -> RecordDecodingError {
        RecordDecodingError("is no \(kind)")
    }

    mutating func contains(at index: Int) throws -> Bool { true }
    mutating func decodeNil(at index: Int) throws -> Bool { values[index] == .null }

    /// Decodes a Boolean, or the integers 0 and 1.
    mutating func decodeBool(at index: Int) throws -> Bool {
        switch values[index] {
        case .bool(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        default: throw failure("truth value")
        }
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        guard case .integer(let value) = values[index] else { throw failure("integer") }
        return value
    }

    mutating func decodeFloat(at index: Int) throws -> Float { Float(try decodeDouble(at: index)) }

    /// Decodes a floating-point number or an integer.
    mutating func decodeDouble(at index: Int) throws -> Double {
        switch values[index] {
        case .double(let value): return value
        // A computed value may be an integer if it happens to be whole.
        case .integer(let value): return Double(value)
        default: throw failure("number")
        }
    }

    /// Decodes a decimal, an integer, or a decimal as text. A column with a scale contains scaled
    /// integers, which are not scaled back here, because the scale is unknown.
    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        switch values[index] {
        case .decimal(let value): return value
        case .integer(let value): return Decimal(value)
        case .text(let text):
            guard let value = StoredDecimal.value(ofText: text) else { throw failure("decimal") }
            return value
        default: throw failure("decimal")
        }
    }

    /// Decodes a date, or an integer in microseconds since 1970.
    mutating func decodeDate(at index: Int) throws -> Date {
        switch values[index] {
        case .date(let value): return value
        case .integer(let value): return StoredDate.date(microseconds: value)
        default: throw failure("date")
        }
    }

    /// Decodes a UUID, or a UUID as text.
    mutating func decodeUUID(at index: Int) throws -> UUID {
        if case .uuid(let value) = values[index] { return value }
        guard let value = UUID(uuidString: try decodeString(at: index)) else {
            throw failure("UUID")
        }
        return value
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        guard let value = URL(string: try decodeString(at: index)) else { throw failure("URL") }
        return value
    }

    mutating func decodeString(at index: Int) throws -> String {
        guard case .text(let value) = values[index] else { throw failure("text") }
        return value
    }

    mutating func decodeData(at index: Int) throws -> Data {
        guard case .data(let value) = values[index] else { throw failure("data") }
        return value
    }

    /// Always throws, because the components are in several columns.
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        throw failure("id of several components, which are columns of their own")
    }

    /// Decodes an embedded value from JSON text, as are lists and maps.
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try JSONFieldText.decode(type, from: try decodeString(at: index))
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try JSONFieldText.decode([V].self, from: try decodeString(at: index))
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try JSONFieldText.decode([String: V].self, from: try decodeString(at: index))
    }
}

extension SQLRow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of the row and the names of its columns. Values are not included, because it is
    /// unknown which columns of a custom statement are sensitive; ``values`` contains them.
    public var description: String { "row \(number + 1) (\(columns.joined(separator: ", ")))" }
    /// The row without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
