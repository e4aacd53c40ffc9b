/// A stored type with an identity. Generated from a schema; never conformed to by hand.
///
/// `Codable` and hashing come from the runtime through the mapper, which compiles faster than synthesis.
public protocol Entity: MappedRecord, Identifiable
where Mapper: EntityMapper, ID: EntityIdentifier {
    /// The identity; an alias of the declared id field, or made of the declared fields.
    var id: ID { get }
}

extension Entity {
    /// Equal entities have equal ids, so the id is enough.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

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
