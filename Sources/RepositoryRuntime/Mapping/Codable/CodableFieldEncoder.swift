internal import Foundation

/// Writes a record's fields into a keyed container of any `Encoder`.
///
/// A null is left out, as synthesised `Codable` does.
struct CodableFieldEncoder: FieldEncoder {
    private var container: KeyedEncodingContainer<FieldKey>
    private let layout: FieldLayout

    init(_ encoder: any Encoder, layout: FieldLayout) {
        container = encoder.container(keyedBy: FieldKey.self)
        self.layout = layout
    }

    private func key(_ index: Int) -> FieldKey { FieldKey(layout.fields[index].name) }

    mutating func encodeNil(at index: Int) throws {}
    mutating func encodeBool(_ value: Bool, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeString(_ value: String, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }
    mutating func encodeData(_ value: Data, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try container.encode(value, forKey: key(index))
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try container.encode(value.map(CodableBox.init), forKey: key(index))
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try container.encode(value.mapValues(CodableBox.init), forKey: key(index))
    }
}
