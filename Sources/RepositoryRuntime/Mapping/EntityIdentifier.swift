/// The type of an entity's `id`: ``EntityID`` around one value, or a generated struct of several.
///
/// Its text form (`description`) is the id of the generic ``CRUDRepository`` and part of file names, and is frozen:
/// a String as it is, decimal integers, upper-case UUID, raw values, and the components of a composite id joined by
/// `,` with `%` and `,` inside them written `%25` and `%2C`.
public protocol EntityIdentifier: Hashable, Sendable, Codable, FieldValue,
    LosslessStringConvertible, Comparable
{
    /// The number of components: 1, or the number of fields of a composite id.
    static var componentCount: Int { get }
    /// Writes component `i` at index `i`; what a SQL store binds to a `WHERE` over its key columns.
    func encodeComponents<E: FieldEncoder>(to fields: inout E) throws
    /// Why no record can be stored under this id, as a clause; nil for an id that can be used.
    var defect: String? { get }
    /// Reads component `i` at index `i`.
    static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self
}

/// A value that can be an id or a component of one: String, integers, UUID, enums, and ids and scalars over these.
public protocol IdentifierValue: OrderedFieldValue, Hashable, Codable {
    /// The frozen text form.
    var identifierText: String { get }
    /// Reads the text form back; nil when it is not one that ``identifierText`` writes.
    init?(identifierText: String)
    /// Why the value cannot be an id, as a clause; nil where it can.
    var identifierDefect: String? { get }
    /// Whether two values are the same id. Text is the same when its UTF-8 bytes are.
    static func isSameIdentifier(_ left: Self, _ right: Self) -> Bool
    /// Feeds what ``isSameIdentifier(_:_:)`` compares.
    func hashIdentifier(into hasher: inout Hasher)
    /// Whether `left` stands before `right` in id order: numbers by value, text and UUIDs by their bytes.
    static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool
}

extension IdentifierValue {
    /// What keeps the value from being an id; nil when nothing does.
    @inlinable
    public var identifierDefect: String? { nil }

    /// Whether two values are the same id.
    @inlinable
    public static func isSameIdentifier(_ left: Self, _ right: Self) -> Bool { left == right }

    /// Feeds what `isSameIdentifier` compares.
    @inlinable
    public func hashIdentifier(into hasher: inout Hasher) { hash(into: &hasher) }
}
