internal import Foundation

/// Takes those fields of records apart that somebody looks at, one record after the other into the same list; the other
/// fields stay null.
struct WantedFieldsEncoder: FieldEncoder {
    /// The fields of the record written last, by index.
    private var values: [StoredValue]
    private let isWanted: [Bool]

    /// Makes an encoder for records of a layout.
    ///
    /// - Parameter wanted: the fields that are looked at; nil for all.
    init(_ wanted: Set<Int>?, of layout: FieldLayout) {
        values = Array(repeating: .null, count: layout.fields.count)
        isWanted = layout.fields.indices.map { wanted?.contains($0) ?? true }
    }

    /// The wanted fields of a record, which is of the layout.
    mutating func take<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws
        -> [StoredValue]
    {
        try mapper.encode(record, to: &self)
        return values
    }

    @inline(__always)
    private mutating func set(_ index: Int, _ value: @autoclosure () throws -> StoredValue) rethrows
    {
        if isWanted[index] { values[index] = try value() }
    }

    mutating func encodeNil(at index: Int) throws { set(index, .null) }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { set(index, .bool(value)) }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        set(index, .integer(value))
    }
    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        set(index, .double(Double(value)))
    }
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        set(index, .double(value))
    }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        set(index, .decimal(value))
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws { set(index, .date(value)) }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws { set(index, .uuid(value)) }
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        set(index, .text(value.absoluteString))
    }
    mutating func encodeString(_ value: String, at index: Int) throws { set(index, .text(value)) }
    mutating func encodeData(_ value: Data, at index: Int) throws { set(index, .data(value)) }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try set(index, try StoredValueEncoder.object(value, V.Mapper.self))
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try set(index, try StoredValueEncoder.object(value, V.Mapper.self))
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try set(index, .list(try value.map { try StoredValue(encoding: $0) }))
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try set(index, .object(try value.mapValues { try StoredValue(encoding: $0) }))
    }
}
