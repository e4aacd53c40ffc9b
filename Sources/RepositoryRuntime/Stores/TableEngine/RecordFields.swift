internal import Foundation

/// The fields of a record as their Swift values, to create a record that differs in one field.
///
/// The values do not pass through a stored representation, so nothing is rounded or lost.
/// ``StoreTable`` uses it to clear references.
struct RecordFields {
    /// The Swift values by the index of the field; nil is null.
    private var values: [(any Sendable)?]
    /// The layout of the record, for error messages.
    private let layout: FieldLayout

    /// Decomposes a record into its fields.
    init<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        layout = mapper.layout
        values = Array(repeating: nil, count: layout.fields.count)
        try mapper.encode(record, to: &self)
    }

    /// Sets a field to null.
    mutating func clear(_ index: Int) { values[index] = nil }

    /// Returns the value of a field.
    ///
    /// - Throws: `RecordDecodingError` if the field is null or has another type.
    private func value<V>(_ index: Int) throws -> V {
        guard let value = values[index] as? V else {
            throw RecordDecodingError(path: layout.fields[index].name, "is no \(V.self)")
        }
        return value
    }
}

/// Stores each encoded value unchanged.
extension RecordFields: FieldEncoder {
    mutating func encodeNil(at index: Int) throws { values[index] = nil }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { values[index] = value }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws { values[index] = value }
    mutating func encodeFloat(_ value: Float, at index: Int) throws { values[index] = value }
    mutating func encodeDouble(_ value: Double, at index: Int) throws { values[index] = value }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws { values[index] = value }
    mutating func encodeDate(_ value: Date, at index: Int) throws { values[index] = value }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws { values[index] = value }
    mutating func encodeURL(_ value: URL, at index: Int) throws { values[index] = value }
    mutating func encodeString(_ value: String, at index: Int) throws { values[index] = value }
    mutating func encodeData(_ value: Data, at index: Int) throws { values[index] = value }
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        values[index] = value
    }
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        values[index] = value
    }
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        values[index] = value
    }
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        values[index] = value
    }
}

/// Returns the stored values unchanged.
extension RecordFields: FieldDecoder {
    mutating func contains(at index: Int) throws -> Bool { true }
    mutating func decodeNil(at index: Int) throws -> Bool { values[index] == nil }
    mutating func decodeBool(at index: Int) throws -> Bool { try value(index) }
    mutating func decodeInteger(at index: Int) throws -> Int64 { try value(index) }
    mutating func decodeFloat(at index: Int) throws -> Float { try value(index) }
    mutating func decodeDouble(at index: Int) throws -> Double { try value(index) }
    mutating func decodeDecimal(at index: Int) throws -> Decimal { try value(index) }
    mutating func decodeDate(at index: Int) throws -> Date { try value(index) }
    mutating func decodeUUID(at index: Int) throws -> UUID { try value(index) }
    mutating func decodeURL(at index: Int) throws -> URL { try value(index) }
    mutating func decodeString(at index: Int) throws -> String { try value(index) }
    mutating func decodeData(at index: Int) throws -> Data { try value(index) }
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try value(index)
    }
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try value(index)
    }
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try value(index)
    }
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try value(index)
    }
}
