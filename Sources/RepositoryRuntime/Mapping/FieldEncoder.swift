public import Foundation

/// A destination into which a record is encoded field by field, such as a statement's bindings, a
/// JSON writer or an index key.
///
/// A generated mapper calls ``encode(_:at:)`` once per field, in the order of its ``FieldLayout``.
/// An index is the position of the field in the layout of the record that is being encoded; inside
/// a list it is the position of the element. An embedded record has a layout of its own.
///
/// Implementers: each method encodes one value. It may throw ``CRUDRepositoryError`` with the code
/// `.invalidItem` or `.unsupported` if the format cannot represent the value.
public protocol FieldEncoder {
    /// Encodes null.
    mutating func encodeNil(at index: Int) throws
    /// Encodes a Boolean.
    mutating func encodeBool(_ value: Bool, at index: Int) throws
    /// Encodes an integer of any width.
    mutating func encodeInteger(_ value: Int64, at index: Int) throws
    /// Encodes a finite single-precision number.
    mutating func encodeFloat(_ value: Float, at index: Int) throws
    /// Encodes a finite double-precision number.
    mutating func encodeDouble(_ value: Double, at index: Int) throws
    /// Encodes an exact decimal.
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws
    /// Encodes a date, which has been rounded to microseconds.
    mutating func encodeDate(_ value: Date, at index: Int) throws
    /// Encodes a UUID.
    mutating func encodeUUID(_ value: UUID, at index: Int) throws
    /// Encodes a URL.
    mutating func encodeURL(_ value: URL, at index: Int) throws
    /// Encodes a string without U+0000.
    mutating func encodeString(_ value: String, at index: Int) throws
    /// Encodes bytes.
    mutating func encodeData(_ value: Data, at index: Int) throws
    /// Encodes a reference to an entity with a composite id: as several columns in SQL stores, as
    /// an object in others.
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws
    /// Encodes an embedded record.
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws
    /// Encodes a list.
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws
    /// Encodes a map. The encoder chooses the order of the keys; encoders that produce bytes sort
    /// them.
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws
}

extension FieldEncoder {
    /// Encodes a value of any field type.
    @inlinable
    @inline(__always)
    public mutating func encode<V: FieldValue>(_ value: V, at index: Int) throws {
        try value.encode(to: &self, at: index)
    }
}
