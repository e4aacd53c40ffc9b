package import StoredSchema

/// A base type of the schema language.
///
/// What differs between base types is described here and in ``StoredBaseType``. The parser, the
/// validator and the translators read these descriptions instead of enumerating the types.
public enum BaseType: String, Sendable, Hashable, CaseIterable {
    case string = "String"
    case bool = "Bool"
    case int = "Int"
    case int8 = "Int8"
    case int16 = "Int16"
    case int32 = "Int32"
    case int64 = "Int64"
    case uint8 = "UInt8"
    case uint16 = "UInt16"
    case uint32 = "UInt32"
    case float = "Float"
    case double = "Double"
    case decimal = "Decimal"
    case date = "Date"
    case uuid = "UUID"
    case url = "URL"
    case data = "Data"
    case localDate = "LocalDate"
    /// The type of a field declared `type: Data?, external: true`. Schemas do not name it.
    case externalData = "ExternalData"

    /// The type of the stored values.
    package var stored: StoredBaseType {
        switch self {
        case .string: .text
        case .bool: .bool
        case .int, .int64: .int64
        case .int8: .int8
        case .int16: .int16
        case .int32: .int32
        case .uint8: .uint8
        case .uint16: .uint16
        case .uint32: .uint32
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .data: .data
        case .localDate: .localDate
        case .externalData: .externalData
        }
    }
}

/// What generated code needs to know.
extension BaseType {
    /// The module that declares the Swift type; nil for the standard library, whose types are
    /// written without their module.
    package var module: String? {
        switch self {
        case .decimal, .date, .uuid, .url, .data: "Foundation"
        case .localDate, .externalData: "RepositoryRuntime"
        default: nil
        }
    }
}

/// What the language allows.
extension BaseType {
    /// Whether the name always means the base type. A set can declare a type with the name of a
    /// base type that was added after the first version of the language; fields then have the
    /// declared type.
    package var isReserved: Bool { self != .localDate && isWritten }

    /// Whether schemas name the type. The others follow from keys of a field.
    package var isWritten: Bool { self != .externalData }

    /// The types that schemas name.
    package static var written: [BaseType] { allCases.filter(\.isWritten) }

    /// The name of the type as schemas write it.
    package var writtenName: String { self == .externalData ? "Data" : rawValue }

    /// The base type that a schema names; nil if there is no such type.
    package init?(written name: String) {
        guard let base = BaseType(rawValue: name), base.isWritten else { return nil }
        self = base
    }

    /// Whether an id can have the type.
    package var isIdentifier: Bool {
        switch self {
        case .string, .uuid, .localDate: true
        default: isInteger
        }
    }

    /// Whether the type is an integer type.
    package var isInteger: Bool { stored.integers != nil }

    /// Whether `minimum` and `maximum` can be used with the type.
    package var isBounded: Bool { stored.kind.isNumber || self == .date || self == .localDate }

    /// The representations that `storedAs` can select; empty if the type has only the default one.
    package var columnForms: [StoredColumnForm] {
        switch self {
        case .date: [.text, .integer, .real] + StoredColumnForm.dates
        case .decimal: [.text, .integer, .real]
        case .uuid: [.text, .blob, .lowercaseText]
        case .localDate: [.text]
        default: []
        }
    }
}

/// How values are written in schemas.
extension BaseType {
    /// A value that messages suggest, as YAML; nil if no value is more likely than others.
    package var sample: String? {
        switch stored.kind {
        case .text: self == .string ? "\"\"" : nil
        case .bool: "false"
        case .integer, .double, .decimal: "0"
        case .date, .uuid, .data: nil
        }
    }
}
