internal import Foundation

/// Takes one value apart: what ``StoredValueEncoder`` does for a record, without a list to hold it.
struct SingleValueEncoder: FieldEncoder {
    /// The value written last.
    private(set) var value = StoredValue.null

    mutating func encodeNil(at index: Int) throws { value = .null }
    mutating func encodeBool(_ value: Bool, at index: Int) throws { self.value = .bool(value) }
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        self.value = .integer(value)
    }
    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        self.value = .double(Double(value))
    }
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        self.value = .double(value)
    }
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        self.value = .decimal(value)
    }
    mutating func encodeDate(_ value: Date, at index: Int) throws { self.value = .date(value) }
    mutating func encodeUUID(_ value: UUID, at index: Int) throws { self.value = .uuid(value) }
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        self.value = .text(value.absoluteString)
    }
    mutating func encodeString(_ value: String, at index: Int) throws { self.value = .text(value) }
    mutating func encodeData(_ value: Data, at index: Int) throws { self.value = .data(value) }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        self.value = try StoredValueEncoder.object(value, V.Mapper.self)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        self.value = try StoredValueEncoder.object(value, V.Mapper.self)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        self.value = .list(try value.map { try StoredValue(encoding: $0) })
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        self.value = .object(try value.mapValues { try StoredValue(encoding: $0) })
    }
}
