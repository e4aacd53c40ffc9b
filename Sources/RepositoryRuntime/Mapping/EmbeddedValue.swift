/// A record that is stored inside others and has no identity. Generated from a `value` declaration.
public protocol EmbeddedValue: MappedRecord, FieldValue {}

extension EmbeddedValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeObject(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        try fields.decodeObject(Self.self, at: index)
    }

    /// Stamps, rounds and validates the fields of the value.
    public func prepared(for write: WriteContext) throws -> Self {
        var copy = self
        try Mapper.prepare(&copy, for: write)
        return copy
    }
}
