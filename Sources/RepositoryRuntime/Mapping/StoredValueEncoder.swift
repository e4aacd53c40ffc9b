internal import Foundation

/// Takes a record apart into ``StoredValue``s, by field index.
struct StoredValueEncoder: FieldEncoder {
    /// The values written, by index.
    private(set) var values: [StoredValue]

    /// Makes an encoder for a record of `count` fields.
    init(count: Int) {
        values = Array(repeating: .null, count: count)
    }

    /// The fields of a record.
    static func values<M: RecordMapper>(of record: M.Record, _ mapper: M.Type) throws
        -> [StoredValue]
    {
        var encoder = StoredValueEncoder(count: mapper.layout.fields.count)
        try mapper.encode(record, to: &encoder)
        return encoder.values
    }

    private static func object<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws
        -> StoredValue
    {
        let values = try values(of: record, mapper)
        let pairs = zip(mapper.layout.fields, values).lazy.filter { $1 != .null }.map {
            ($0.name, $1)
        }
        return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }

    mutating func encodeNil(at index: Int) throws { values[index] = .null }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { values[index] = .bool(value) }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        values[index] = .integer(value)
    }
    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        values[index] = .double(Double(value))
    }
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        values[index] = .double(value)
    }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        values[index] = .decimal(value)
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws { values[index] = .date(value) }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws { values[index] = .uuid(value) }
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        values[index] = .text(value.absoluteString)
    }
    mutating func encodeString(_ value: String, at index: Int) throws {
        values[index] = .text(value)
    }
    mutating func encodeData(_ value: Data, at index: Int) throws { values[index] = .data(value) }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        values[index] = try Self.object(value, V.Mapper.self)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        values[index] = try Self.object(value, V.Mapper.self)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        values[index] = .list(try value.map { try StoredValue(encoding: $0) })
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        values[index] = .object(try value.mapValues { try StoredValue(encoding: $0) })
    }
}

extension StoredValue {
    /// What is stored for a value.
    ///
    /// - Throws: what an embedded value's mapper throws.
    public init<V: FieldValue>(encoding value: V) throws {
        var encoder = StoredValueEncoder(count: 1)
        try value.encode(to: &encoder, at: 0)
        self = encoder.values[0]
    }
}
