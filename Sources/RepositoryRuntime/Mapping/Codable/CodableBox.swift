internal import Foundation

/// Adapts a ``FieldValue`` to `Codable`, as an element of a list or map in a coder's container.
struct CodableBox<Value: FieldValue>: Codable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        var fields = SingleValueFieldDecoder(container: try decoder.singleValueContainer())
        value = try Value.decode(from: &fields, at: 0)
    }

    func encode(to encoder: any Encoder) throws {
        var fields = SingleValueFieldEncoder(container: encoder.singleValueContainer())
        try value.encode(to: &fields, at: 0)
    }
}

/// Encodes one value into a single-value container. Indexes are ignored.
private struct SingleValueFieldEncoder: FieldEncoder {
    var container: any SingleValueEncodingContainer

    mutating func encodeNil(at index: Int) throws { try container.encodeNil() }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { try container.encode(value) }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        try container.encode(value)
    }
    mutating func encodeFloat(_ value: Float, at index: Int) throws { try container.encode(value) }
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        try container.encode(value)
    }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        try container.encode(value)
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws { try container.encode(value) }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws { try container.encode(value) }
    mutating func encodeURL(_ value: URL, at index: Int) throws { try container.encode(value) }
    mutating func encodeString(_ value: String, at index: Int) throws {
        try container.encode(value)
    }
    mutating func encodeData(_ value: Data, at index: Int) throws { try container.encode(value) }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try container.encode(value)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try container.encode(value)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try container.encode(value.map(CodableBox<V>.init))
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try container.encode(value.mapValues(CodableBox<V>.init))
    }
}

/// Decodes one value from a single-value container. Indexes are ignored.
struct SingleValueFieldDecoder: FieldDecoder {
    let container: any SingleValueDecodingContainer

    mutating func contains(at index: Int) throws -> Bool { true }
    mutating func decodeNil(at index: Int) throws -> Bool { container.decodeNil() }
    mutating func decodeBool(at index: Int) throws -> Bool { try container.decode(Bool.self) }
    mutating func decodeInteger(at index: Int) throws -> Int64 { try container.decode(Int64.self) }
    mutating func decodeFloat(at index: Int) throws -> Float { try container.decode(Float.self) }
    mutating func decodeDouble(at index: Int) throws -> Double { try container.decode(Double.self) }
    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        try container.decode(Decimal.self)
    }
    mutating func decodeDate(at index: Int) throws -> Date { try container.decode(Date.self) }
    mutating func decodeUUID(at index: Int) throws -> UUID { try container.decode(UUID.self) }
    mutating func decodeURL(at index: Int) throws -> URL { try container.decode(URL.self) }
    mutating func decodeString(at index: Int) throws -> String { try container.decode(String.self) }
    mutating func decodeData(at index: Int) throws -> Data { try container.decode(Data.self) }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try container.decode(V.self)
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try container.decode(V.self)
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try container.decode([CodableBox<V>].self).map(\.value)
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try container.decode([String: CodableBox<V>].self).mapValues(\.value)
    }
}
