public import Foundation

/// A field encoder that converts each field to a ``StoredValue``. Conforming types decide which
/// fields to collect and where to store them.
///
/// All methods are inlinable, so that the compiler specialises them for each mapper. See
/// ``StoredFields``.
public protocol StoredValueCollector: FieldEncoder {
    /// Whether a field is collected. No value is created for other fields.
    func collects(_ index: Int) -> Bool
    /// Stores the value of a field.
    mutating func set(_ value: StoredValue, at index: Int)
}

extension StoredValueCollector {
    /// Collects null.
    @inlinable
    @inline(__always)
    public mutating func encodeNil(at index: Int) throws {
        if collects(index) { set(.null, at: index) }
    }

    /// Collects a Boolean.
    @inlinable
    @inline(__always)
    public mutating func encodeBool(_ value: Bool, at index: Int) throws {
        if collects(index) { set(.bool(value), at: index) }
    }

    /// Collects an integer.
    @inlinable
    @inline(__always)
    public mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        if collects(index) { set(.integer(value), at: index) }
    }

    /// Collects a single-precision number.
    @inlinable
    @inline(__always)
    public mutating func encodeFloat(_ value: Float, at index: Int) throws {
        if collects(index) { set(.double(Double(value)), at: index) }
    }

    /// Collects a double-precision number.
    @inlinable
    @inline(__always)
    public mutating func encodeDouble(_ value: Double, at index: Int) throws {
        if collects(index) { set(.double(value), at: index) }
    }

    /// Collects a decimal.
    @inlinable
    @inline(__always)
    public mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        if collects(index) { set(.decimal(value), at: index) }
    }

    /// Collects a date.
    @inlinable
    @inline(__always)
    public mutating func encodeDate(_ value: Date, at index: Int) throws {
        if collects(index) { set(.date(value), at: index) }
    }

    /// Collects a UUID.
    @inlinable
    @inline(__always)
    public mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        if collects(index) { set(.uuid(value), at: index) }
    }

    /// Collects a URL as a string.
    @inlinable
    @inline(__always)
    public mutating func encodeURL(_ value: URL, at index: Int) throws {
        if collects(index) { set(.text(value.absoluteString), at: index) }
    }

    /// Collects a string.
    @inlinable
    @inline(__always)
    public mutating func encodeString(_ value: String, at index: Int) throws {
        if collects(index) { set(.text(value), at: index) }
    }

    /// Collects bytes.
    @inlinable
    @inline(__always)
    public mutating func encodeData(_ value: Data, at index: Int) throws {
        if collects(index) { set(.data(value), at: index) }
    }
}

extension StoredValueCollector {
    /// Collects a composite id as an object.
    @inlinable
    public mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        if collects(index) { set(try StoredValue(encodingRecord: value, V.Mapper.self), at: index) }
    }

    /// Collects an embedded record as an object.
    @inlinable
    public mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        if collects(index) { set(try StoredValue(encodingRecord: value, V.Mapper.self), at: index) }
    }

    /// Collects a list.
    @inlinable
    public mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        if collects(index) {
            set(.list(try value.map { try StoredValue(encoding: $0) }), at: index)
        }
    }

    /// Collects a map as an object.
    @inlinable
    public mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        if collects(index) {
            set(.object(try value.mapValues { try StoredValue(encoding: $0) }), at: index)
        }
    }
}
