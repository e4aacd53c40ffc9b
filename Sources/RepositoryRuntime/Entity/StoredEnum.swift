/// A generated enum: stored as its raw value, a String or an Int.
public protocol StoredEnum: RawRepresentable, IdentifierValue where RawValue: IdentifierValue {}

extension StoredEnum {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try rawValue.encode(to: &fields, at: index)
    }

    /// Reads the field at `index`.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        let stored = try RawValue.decode(from: &fields, at: index)
        guard let value = Self(rawValue: stored) else {
            throw RecordDecodingError("'\(stored.identifierText)' is not a case of \(Self.self)")
        }
        return value
    }

    /// The frozen text form.
    public var identifierText: String { rawValue.identifierText }

    /// Reads the text form back; nil when it is not one.
    public init?(identifierText: String) {
        guard let raw = RawValue(identifierText: identifierText) else { return nil }
        self.init(rawValue: raw)
    }

    /// What keeps the value from being an id; nil when nothing does.
    public var identifierDefect: String? { rawValue.identifierDefect }

    /// Whether `left` stands before `right` in id order.
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool {
        RawValue.identifierPrecedes(left.rawValue, right.rawValue)
    }
}

/// A Swift type of the user's own that a schema names with `scalar`: stored as a base type.
///
/// To use it in an id, also declare `IdentifierValue`; nothing needs to be written for it.
public protocol StoredScalar: FieldValue, Codable, Hashable {
    /// The base type, as the schema's `stored:` says.
    associatedtype StoredForm: FieldValue
    /// What is stored.
    var storedForm: StoredForm { get }
    /// Makes the value of what was stored.
    ///
    /// - Throws: any error when what was stored is not a value of the type; the record is then `invalidRecord`.
    init(storedForm: StoredForm) throws
}

extension StoredScalar {
    /// Writes the value as the field at `index`.
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try storedForm.encode(to: &fields, at: index)
    }

    /// Reads the field at `index`.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        try Self(storedForm: StoredForm.decode(from: &fields, at: index))
    }

    /// What is stored for the value.
    public func prepared(for write: WriteContext) throws -> Self {
        try Self(storedForm: storedForm.prepared(for: write))
    }
}

extension StoredScalar where StoredForm: IdentifierValue {
    /// The frozen text form.
    public var identifierText: String { storedForm.identifierText }

    /// Nil also for a text whose value the type refuses: such a text is no id of it.
    public init?(identifierText: String) {
        guard let stored = StoredForm(identifierText: identifierText),
            let value = try? Self(storedForm: stored)
        else { return nil }
        self = value
    }

    /// Whether `left` stands before `right` in id order.
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool {
        StoredForm.identifierPrecedes(left.storedForm, right.storedForm)
    }
}

// More specific than both protocols, so that a type of both takes this one and not the default of either.
extension StoredScalar where Self: IdentifierValue, StoredForm: IdentifierValue {
    /// What keeps the value from being an id; nil when nothing does.
    public var identifierDefect: String? { storedForm.identifierDefect }
}
