/// The id of an entity: a type of its own around the declared raw type, so that a book's id is never taken for an
/// author's.
///
/// It is `Codable` as the bare value, and can be written as a literal where the raw type can.
public struct EntityID<Owner, Raw: IdentifierValue>: RawRepresentable, Sendable {
    /// The declared value.
    public var rawValue: Raw

    /// Makes an id of a raw value.
    @inlinable
    public init(rawValue: Raw) {
        self.rawValue = rawValue
    }

    /// Makes an id of a raw value.
    @inlinable
    public init(_ rawValue: Raw) {
        self.rawValue = rawValue
    }
}

extension EntityID: Hashable {
    /// Whether the two are the same.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        Raw.isSameIdentifier(left.rawValue, right.rawValue)
    }

    /// Feeds what `==` compares.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        rawValue.hashIdentifier(into: &hasher)
    }
}

extension EntityID: Comparable {
    /// Whether `left` stands before `right`.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        Raw.identifierPrecedes(left.rawValue, right.rawValue)
    }
}

extension EntityID: Codable {
    /// Reads it with any coder.
    public init(from decoder: any Decoder) throws {
        rawValue = try Raw(from: decoder)
    }

    /// Writes it with any coder.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}

extension EntityID: LosslessStringConvertible {
    /// The frozen text form of the id.
    public var description: String { rawValue.identifierText }

    /// Reads the text form of an id; nil when it is not one.
    public init?(_ description: String) {
        guard let raw = Raw(identifierText: description) else { return nil }
        rawValue = raw
    }
}

extension EntityID: EntityIdentifier {
    /// The number of components.
    @inlinable
    public static var componentCount: Int { 1 }

    /// What keeps the value from being an id; nil when nothing does.
    @inlinable
    public var defect: String? { rawValue.identifierDefect }

    /// Writes each component at its index.
    @inlinable
    public func encodeComponents<E: FieldEncoder>(to fields: inout E) throws {
        try rawValue.encode(to: &fields, at: 0)
    }

    /// Reads each component at its index.
    @inlinable
    public static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self {
        Self(try Raw.decode(from: &fields, at: 0))
    }

    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try rawValue.encode(to: &fields, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        Self(try Raw.decode(from: &fields, at: index))
    }
}

/// An id may itself be the id of another entity (`id: { name: client, type: Client }`).
extension EntityID: IdentifierValue {
    /// The frozen text form.
    public var identifierText: String { rawValue.identifierText }

    /// Reads the text form back; nil when it is not one.
    public init?(identifierText: String) {
        self.init(identifierText)
    }

    /// What keeps the value from being an id; nil when nothing does.
    @inlinable
    public var identifierDefect: String? { rawValue.identifierDefect }

    /// Whether `left` stands before `right` in id order.
    @inlinable
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool { left < right }
}
