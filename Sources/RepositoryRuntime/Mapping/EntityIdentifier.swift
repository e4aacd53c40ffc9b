/// The type of an entity's `id`: ``EntityID``, or a generated struct with several components.
///
/// Its string form (`description`) is the id of the generic ``CRUDRepository`` and a part of file
/// names. The form is frozen: a string itself, a decimal integer, an upper-case UUID, a raw value,
/// or the components of a composite id joined by `,` with `%` and `,` escaped as `%25` and `%2C`.
public protocol EntityIdentifier: Hashable, Sendable, Codable, FieldValue,
    LosslessStringConvertible, Comparable
{
    /// The number of components: 1, or the number of fields of a composite id.
    static var componentCount: Int { get }
    /// Encodes component `i` as the field at index `i`. SQL stores bind the components to the
    /// conditions on their key columns.
    func encodeComponents<E: FieldEncoder>(to fields: inout E) throws
    /// The reason why the id cannot be stored, as a clause; nil if it can.
    var invalidReason: String? { get }
    /// Decodes component `i` from the field at index `i`.
    static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self
}

/// A type whose values can be ids or components of ids: strings, integers, UUIDs, enums, and ids
/// and scalars based on these.
public protocol IdentifierValue: OrderedFieldValue, Hashable, Codable {
    /// The string form. It is frozen, because stored data depends on it.
    var identifierString: String { get }
    /// Parses a string form; nil unless ``identifierString`` produces exactly this string.
    init?(identifierString: String)
    /// The reason why the value cannot be an id, as a clause; nil if it can.
    var identifierInvalidReason: String? { get }
    /// Whether two values are the same id. Strings are compared by their UTF-8 bytes, not by
    /// canonical equivalence.
    static func isSameIdentifier(_ left: Self, _ right: Self) -> Bool
    /// Hashes what ``isSameIdentifier(_:_:)`` compares.
    func hashIdentifier(into hasher: inout Hasher)
    /// Whether `left` precedes `right` in id order: numbers by value, strings and UUIDs by their
    /// bytes.
    static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool
}

extension IdentifierValue {
    /// The reason why the value cannot be an id; nil by default.
    @inlinable
    public var identifierInvalidReason: String? { nil }

    /// Whether two values are the same id: by default, whether they are equal.
    @inlinable
    public static func isSameIdentifier(_ left: Self, _ right: Self) -> Bool { left == right }

    /// Hashes what `isSameIdentifier` compares.
    @inlinable
    public func hashIdentifier(into hasher: inout Hasher) { hash(into: &hasher) }
}
