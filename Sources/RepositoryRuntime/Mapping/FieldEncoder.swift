public import Foundation

/// Takes a record apart, one field at a time: a statement binder, a JSON writer, an index key builder.
///
/// A generated mapper calls ``encode(_:at:)`` once for each field, in the order of its ``FieldLayout``. An index is the
/// position of the field in the layout of the record that is being written; inside a list it is the position of the
/// element. A nested record brings its own layout.
///
/// Implementers: each method writes one value and may throw ``CRUDRepositoryError`` with code `.invalidItem` or
/// `.unsupported` where the format cannot hold it.
public protocol FieldEncoder {
    /// Writes the absence of a value.
    mutating func encodeNil(at index: Int) throws
    /// Writes a truth value.
    mutating func encodeBool(_ value: Bool, at index: Int) throws
    /// Writes an integer of any width.
    mutating func encodeInteger(_ value: Int64, at index: Int) throws
    /// Writes a single-precision number; finite.
    mutating func encodeFloat(_ value: Float, at index: Int) throws
    /// Writes a double-precision number; finite.
    mutating func encodeDouble(_ value: Double, at index: Int) throws
    /// Writes an exact decimal.
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws
    /// Writes a moment, already rounded to microseconds.
    mutating func encodeDate(_ value: Date, at index: Int) throws
    /// Writes a UUID.
    mutating func encodeUUID(_ value: UUID, at index: Int) throws
    /// Writes a URL.
    mutating func encodeURL(_ value: URL, at index: Int) throws
    /// Writes text without U+0000.
    mutating func encodeString(_ value: String, at index: Int) throws
    /// Writes bytes.
    mutating func encodeData(_ value: Data, at index: Int) throws
    /// Writes a reference to an entity with a composite id: several columns in a SQL store, an object elsewhere.
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws
    /// Writes an embedded record.
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws
    /// Writes a list.
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws
    /// Writes a map. The order of its keys is the encoder's choice; writers of bytes sort them.
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws
}

extension FieldEncoder {
    /// Writes any value that a field can hold.
    @inlinable
    @inline(__always)
    public mutating func encode<V: FieldValue>(_ value: V, at index: Int) throws {
        try value.encode(to: &self, at: index)
    }
}
