/// The id of an entity. Each entity has an id type of its own, so the compiler rejects a book's id
/// where an author's is expected.
///
/// It is encoded as its raw value, and can be written as a literal if the raw type can.
public struct EntityID<Owner, Raw: IdentifierValue>: RawRepresentable, Sendable {
    /// The declared value.
    public var rawValue: Raw

    /// Creates an id from a raw value.
    @inlinable
    public init(rawValue: Raw) {
        self.rawValue = rawValue
    }

    /// Creates an id from a raw value.
    @inlinable
    public init(_ rawValue: Raw) {
        self.rawValue = rawValue
    }
}

extension EntityID: Hashable {
    /// Whether two ids are the same, as defined by ``IdentifierValue/isSameIdentifier(_:_:)``.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        Raw.isSameIdentifier(left.rawValue, right.rawValue)
    }

    /// Hashes the bytes or values that `==` compares.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        rawValue.hashIdentifier(into: &hasher)
    }
}

extension EntityID: Comparable {
    /// Whether `left` precedes `right` in id order.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        Raw.identifierPrecedes(left.rawValue, right.rawValue)
    }
}

extension EntityID: Codable {
    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws {
        rawValue = try Raw(from: decoder)
    }

    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}

extension EntityID: LosslessStringConvertible {
    /// The string form of the id. It is frozen, because stored data depends on it.
    public var description: String { rawValue.identifierString }

    /// Parses the string form of an id; nil if it is invalid.
    public init?(_ description: String) {
        guard let raw = Raw(identifierString: description) else { return nil }
        rawValue = raw
    }
}

extension EntityID: EntityIdentifier {
    /// The number of components.
    @inlinable
    public static var componentCount: Int { 1 }

    /// The reason why the value cannot be an id; nil if it can.
    @inlinable
    public var invalidReason: String? { rawValue.identifierInvalidReason }

    /// Encodes each component as the field at its index.
    @inlinable
    public func encodeComponents<E: FieldEncoder>(to fields: inout E) throws {
        try rawValue.encode(to: &fields, at: 0)
    }

    /// Decodes each component from the field at its index.
    @inlinable
    public static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self {
        Self(try Raw.decode(from: &fields, at: 0))
    }

    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try rawValue.encode(to: &fields, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        Self(try Raw.decode(from: &fields, at: index))
    }
}

/// The raw value of an id may be the id of another entity (`id: { name: client, type: Client }`).
extension EntityID: IdentifierValue {
    /// The string form of the id.
    public var identifierString: String { rawValue.identifierString }

    /// Parses the string form; nil if it is invalid.
    public init?(identifierString: String) {
        self.init(identifierString)
    }

    /// The reason why the value cannot be an id; nil if it can.
    @inlinable
    public var identifierInvalidReason: String? { rawValue.identifierInvalidReason }

    /// Whether `left` precedes `right` in id order.
    @inlinable
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool { left < right }
}
