/// A generated enum, stored as its raw value: a `String` or an `Int`.
public protocol StoredEnum: RawRepresentable, IdentifierValue where RawValue: IdentifierValue {}

extension StoredEnum {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try rawValue.encode(to: &fields, at: index)
    }

    /// Decodes the field at `index`.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        let stored = try RawValue.decode(from: &fields, at: index)
        guard let value = Self(rawValue: stored) else {
            throw RecordDecodingError("'\(stored.identifierString)' is not a case of \(Self.self)")
        }
        return value
    }

    /// The string form of the raw value.
    public var identifierString: String { rawValue.identifierString }

    /// Parses the string form; nil if it is not the form of a case.
    public init?(identifierString: String) {
        guard let raw = RawValue(identifierString: identifierString) else { return nil }
        self.init(rawValue: raw)
    }

    /// The reason why the value cannot be an id; nil if it can.
    public var identifierInvalidReason: String? { rawValue.identifierInvalidReason }

    /// Whether the raw value of `left` precedes that of `right`.
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool {
        RawValue.identifierPrecedes(left.rawValue, right.rawValue)
    }
}

/// A user-defined Swift type that a schema declares as `scalar`. It is stored as a base type.
///
/// To use the type in an id, declare conformance to `IdentifierValue` as well. No members have to
/// be implemented for it.
public protocol StoredScalar: FieldValue, Codable, Hashable {
    /// The base type that the schema's `stored:` names.
    associatedtype StoredForm: FieldValue
    /// The value to store.
    var storedForm: StoredForm { get }
    /// Creates a value from a stored value.
    ///
    /// - Throws: any error if the stored value is not valid for the type. Reading the record then
    ///   throws `invalidRecord`.
    init(storedForm: StoredForm) throws
}

extension StoredScalar {
    /// Encodes the value as the field at `index`.
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try storedForm.encode(to: &fields, at: index)
    }

    /// Decodes the field at `index`.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        try Self(storedForm: StoredForm.decode(from: &fields, at: index))
    }

    /// Prepares the stored value for a write.
    public func prepared(for write: WriteContext) throws -> Self {
        try Self(storedForm: storedForm.prepared(for: write))
    }
}

extension StoredScalar where StoredForm: IdentifierValue {
    /// The string form of the stored value.
    public var identifierString: String { storedForm.identifierString }

    /// Parses the string form; nil if it is invalid or if the type rejects the value.
    public init?(identifierString: String) {
        guard let stored = StoredForm(identifierString: identifierString),
            let value = try? Self(storedForm: stored)
        else { return nil }
        self = value
    }

    /// Whether the stored value of `left` precedes that of `right`.
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool {
        StoredForm.identifierPrecedes(left.storedForm, right.storedForm)
    }
}

// More specific than both protocols, so that a type with both conformances has no ambiguous
// default.
extension StoredScalar where Self: IdentifierValue, StoredForm: IdentifierValue {
    /// The reason why the value cannot be an id; nil if it can.
    public var identifierInvalidReason: String? { storedForm.identifierInvalidReason }
}
