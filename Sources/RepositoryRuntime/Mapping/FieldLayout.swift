/// The fields of a record in a fixed order. The indexes passed to ``FieldEncoder`` and
/// ``FieldDecoder`` refer to it.
///
/// An immutable class, so that passing it costs one retain.
public final class FieldLayout: Sendable {
    /// The Swift name of the record, for messages.
    public let name: String
    /// The fields, in order.
    public let fields: [FieldDescription]
    /// The UTF-8 bytes of the field names by index: the keys in documents.
    public let keys: [[UInt8]]
    /// The field index for each current and earlier name. An earlier name never hides the current
    /// name of another field.
    public let indexByKey: [String: Int]
    /// The keys in the encodings of the document formats.
    let formatKeys = FormatKeys()

    /// Creates a layout.
    public init(_ name: String, _ fields: [FieldDescription]) {
        self.name = name
        self.fields = fields
        keys = fields.map { Array($0.name.utf8) }
        var indexByKey: [String: Int] = [:]
        for (index, field) in fields.enumerated() { indexByKey[field.name] = index }
        for (index, field) in fields.enumerated() {
            for earlier in field.renamedFrom where indexByKey[earlier] == nil {
                indexByKey[earlier] = index
            }
        }
        self.indexByKey = indexByKey
    }
}

extension FieldLayout: Hashable {
    /// Whether both values are equal.
    public static func == (left: FieldLayout, right: FieldLayout) -> Bool {
        left === right || (left.name == right.name && left.fields == right.fields)
    }

    /// Hashes the name and the fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(fields)
    }
}

/// The static description of a field.
public struct FieldDescription: Sendable, Hashable {
    /// The property's name, which is also the key in documents.
    public var name: String
    /// The stored type.
    public var type: StoredType
    /// Whether the field may be null.
    public var isOptional: Bool
    /// The constant that is read if a stored record lacks the field; nil if the field has no such
    /// default.
    public var defaultValue: StoredValue?
    /// Earlier names, newest first.
    public var renamedFrom: [String]
    /// Whether the value must not occur in logs, errors and descriptions.
    public var isSensitive: Bool
    /// The text forms of the cases of the enum that it holds, alone or in a list or map; nil where it holds none, or one
    /// that takes unknown cases.
    public package(set) var cases: [String]?

    /// Creates a description.
    public init(
        _ name: String, _ type: StoredType, optional: Bool = false,
        default value: StoredValue? = nil,
        renamedFrom: [String] = [], sensitive: Bool = false
    ) {
        self.name = name
        self.type = type
        isOptional = optional
        defaultValue = value
        self.renamedFrom = renamedFrom
        isSensitive = sensitive
    }

    /// Describes a field of a stored description, with the text forms of the cases of its enum.
    package init(
        _ name: String, _ type: StoredType, optional: Bool, default value: StoredValue?,
        renamedFrom: [String], cases: [String]?
    ) {
        self.init(name, type, optional: optional, default: value, renamedFrom: renamedFrom)
        self.cases = cases
    }

    /// Describes a field that holds an enum, alone or in a list or map, which takes no unknown cases.
    public init<E: StoredEnum & CaseIterable>(
        _ name: String, _ type: StoredType, optional: Bool = false,
        default value: StoredValue? = nil,
        renamedFrom: [String] = [], sensitive: Bool = false, cases: E.Type
    ) {
        self.init(
            name, type, optional: optional, default: value, renamedFrom: renamedFrom,
            sensitive: sensitive)
        self.cases = E.allCases.map(\.identifierString)
    }
}

/// The type of a stored field, independent of the store. Each store maps it to its own types.
public indirect enum StoredType: Sendable, Hashable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32
    case float, double
    /// An exact decimal. With a scale, values are rounded half to even to that number of fraction
    /// digits.
    case decimal(scale: Int?)
    case date, text, url, uuid, data
    /// A calendar day, stored as text.
    case localDate
    /// Data that is stored apart from the record, which has its size and hash as text.
    case externalData
    /// A reference to an entity with a composite id, with the layout of its components.
    case composite(FieldLayout)
    /// An embedded record.
    case object(FieldLayout)
    /// A list. With `optionalElements`, elements may be null.
    case list(StoredType, optionalElements: Bool = false)
    /// A map with string keys. With `optionalElements`, values may be null.
    case map(StoredType, optionalElements: Bool = false)
}
