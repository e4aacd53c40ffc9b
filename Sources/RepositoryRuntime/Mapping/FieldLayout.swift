/// The fields of a record in a fixed order: what an index given to a ``FieldEncoder`` means.
///
/// A class, so that passing it on costs one retain; it never changes.
public final class FieldLayout: Sendable {
    /// The record's name in Swift, for messages.
    public let name: String
    /// The fields, in order.
    public let fields: [FieldDescription]
    /// The field's name as UTF-8, by index: the key in a document.
    public let keys: [[UInt8]]
    /// Every name a field is or was stored under, to its index; an earlier name never hides a present one.
    public let indexByKey: [String: Int]
    /// The keys as each format writes them.
    let formatKeys = FormatKeys()

    /// Makes a layout.
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
    /// Whether the two are the same.
    public static func == (left: FieldLayout, right: FieldLayout) -> Bool {
        left === right || (left.name == right.name && left.fields == right.fields)
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(fields)
    }
}

/// What is known of one field before any record is seen.
public struct FieldDescription: Sendable, Hashable {
    /// The property's name, which is its key in a document.
    public var name: String
    /// What is stored.
    public var type: StoredType
    /// Whether it may be null.
    public var isOptional: Bool
    /// The constant that a stored record which lacks the field reads; nil where there is none.
    public var defaultValue: StoredValue?
    /// Earlier names, newest first.
    public var renamedFrom: [String]
    /// Whether its value must never stand in a log, an error or a description.
    public var isSensitive: Bool
    /// The text forms of the cases of the enum that it holds, alone or in a list or map; nil where it holds none, or one
    /// that takes unknown cases.
    public package(set) var cases: [String]?

    /// Describes a field.
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

    /// Describes a field that holds an enum, alone or in a list or map, which takes no unknown cases.
    public init<E: StoredEnum & CaseIterable>(
        _ name: String, _ type: StoredType, optional: Bool = false,
        default value: StoredValue? = nil,
        renamedFrom: [String] = [], sensitive: Bool = false, cases: E.Type
    ) {
        self.init(
            name, type, optional: optional, default: value, renamedFrom: renamedFrom,
            sensitive: sensitive)
        self.cases = E.allCases.map(\.identifierText)
    }
}

/// The form in which a field is stored, the same idea on every store; each store maps it to its own types.
public indirect enum StoredType: Sendable, Hashable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32
    case float, double
    /// An exact decimal; with a scale it is rounded half to even to that many digits after the point.
    case decimal(scale: Int?)
    case date, text, url, uuid, data
    /// A reference to an entity with a composite id: the components.
    case composite(FieldLayout)
    /// An embedded record.
    case object(FieldLayout)
    /// A list; its elements may be null where `optionalElements` says so.
    case list(StoredType, optionalElements: Bool = false)
    /// A map from text; its values may be null where `optionalElements` says so.
    case map(StoredType, optionalElements: Bool = false)
}
