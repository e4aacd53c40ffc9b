package import Foundation

/// Takes a record apart into ``StoredValue``s, by field index.
package struct StoredValueEncoder: FieldEncoder {
    /// The values written, by index.
    package private(set) var values: [StoredValue]

    /// Makes an encoder for a record of `count` fields.
    package init(count: Int) {
        values = Array(repeating: .null, count: count)
    }

    /// The fields of a record.
    package static func values<M: RecordMapper>(of record: M.Record, _ mapper: M.Type) throws
        -> [StoredValue]
    {
        var encoder = StoredValueEncoder(count: mapper.layout.fields.count)
        try mapper.encode(record, to: &encoder)
        return encoder.values
    }

    static func object<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws
        -> StoredValue
    {
        let values = try values(of: record, mapper)
        let pairs = zip(mapper.layout.fields, values).lazy.filter { $1 != .null }.map {
            ($0.name, $1)
        }
        return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }

    package mutating func encodeNil(at index: Int) throws { values[index] = .null }
    package mutating func encodeBool(_ value: Bool, at index: Int) throws {
        values[index] = .bool(value)
    }
    package mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        values[index] = .integer(value)
    }
    package mutating func encodeFloat(_ value: Float, at index: Int) throws {
        values[index] = .double(Double(value))
    }
    package mutating func encodeDouble(_ value: Double, at index: Int) throws {
        values[index] = .double(value)
    }
    package mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        values[index] = .decimal(value)
    }
    package mutating func encodeDate(_ value: Date, at index: Int) throws {
        values[index] = .date(value)
    }
    package mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        values[index] = .uuid(value)
    }
    package mutating func encodeURL(_ value: URL, at index: Int) throws {
        values[index] = .text(value.absoluteString)
    }
    package mutating func encodeString(_ value: String, at index: Int) throws {
        values[index] = .text(value)
    }
    package mutating func encodeData(_ value: Data, at index: Int) throws {
        values[index] = .data(value)
    }

    package mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        values[index] = try Self.object(value, V.Mapper.self)
    }

    package mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        values[index] = try Self.object(value, V.Mapper.self)
    }

    package mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        values[index] = .list(try value.map { try StoredValue(encoding: $0) })
    }

    package mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        values[index] = .object(try value.mapValues { try StoredValue(encoding: $0) })
    }
}

extension StoredValue {
    /// What is stored for a value.
    ///
    /// - Throws: what an embedded value's mapper throws.
    public init<V: FieldValue>(encoding value: V) throws {
        var encoder = SingleValueEncoder()
        try value.encode(to: &encoder, at: 0)
        self = encoder.value
    }
}
