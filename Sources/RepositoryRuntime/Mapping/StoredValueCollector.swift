public import Foundation

/// A field encoder that makes a ``StoredValue`` of each field: an implementer says which fields and where the values go.
///
/// All of it can be inlined, so that the compiler makes one fast form of it for each mapper: see ``StoredFields``.
public protocol StoredValueCollector: FieldEncoder {
    /// Whether a field is looked at; of others no value is made.
    func wants(_ index: Int) -> Bool
    /// Takes the value of a field.
    mutating func set(_ value: StoredValue, at index: Int)
}

extension StoredValueCollector {
    /// Takes null.
    @inlinable
    @inline(__always)
    public mutating func encodeNil(at index: Int) throws {
        if wants(index) { set(.null, at: index) }
    }

    /// Takes a truth value.
    @inlinable
    @inline(__always)
    public mutating func encodeBool(_ value: Bool, at index: Int) throws {
        if wants(index) { set(.bool(value), at: index) }
    }

    /// Takes an integer.
    @inlinable
    @inline(__always)
    public mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        if wants(index) { set(.integer(value), at: index) }
    }

    /// Takes a single-precision number.
    @inlinable
    @inline(__always)
    public mutating func encodeFloat(_ value: Float, at index: Int) throws {
        if wants(index) { set(.double(Double(value)), at: index) }
    }

    /// Takes a double-precision number.
    @inlinable
    @inline(__always)
    public mutating func encodeDouble(_ value: Double, at index: Int) throws {
        if wants(index) { set(.double(value), at: index) }
    }

    /// Takes a decimal.
    @inlinable
    @inline(__always)
    public mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        if wants(index) { set(.decimal(value), at: index) }
    }

    /// Takes a moment.
    @inlinable
    @inline(__always)
    public mutating func encodeDate(_ value: Date, at index: Int) throws {
        if wants(index) { set(.date(value), at: index) }
    }

    /// Takes a UUID.
    @inlinable
    @inline(__always)
    public mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        if wants(index) { set(.uuid(value), at: index) }
    }

    /// Takes a URL as its text.
    @inlinable
    @inline(__always)
    public mutating func encodeURL(_ value: URL, at index: Int) throws {
        if wants(index) { set(.text(value.absoluteString), at: index) }
    }

    /// Takes a text.
    @inlinable
    @inline(__always)
    public mutating func encodeString(_ value: String, at index: Int) throws {
        if wants(index) { set(.text(value), at: index) }
    }

    /// Takes bytes.
    @inlinable
    @inline(__always)
    public mutating func encodeData(_ value: Data, at index: Int) throws {
        if wants(index) { set(.data(value), at: index) }
    }
}

extension StoredValueCollector {
    /// Takes an id of several components as an object.
    @inlinable
    public mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        if wants(index) { set(try StoredValue(encodingRecord: value, V.Mapper.self), at: index) }
    }

    /// Takes an embedded record as an object.
    @inlinable
    public mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        if wants(index) { set(try StoredValue(encodingRecord: value, V.Mapper.self), at: index) }
    }

    /// Takes a list.
    @inlinable
    public mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        if wants(index) {
            set(.list(try value.map { try StoredValue(encoding: $0) }), at: index)
        }
    }

    /// Takes a map as an object.
    @inlinable
    public mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        if wants(index) {
            set(.object(try value.mapValues { try StoredValue(encoding: $0) }), at: index)
        }
    }
}
