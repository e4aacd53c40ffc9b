/// A base type of the schema language.
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
}

/// A type as it is written for a field: `String`, `Author?`, `[String: Int]`.
public indirect enum TypeExpression: Sendable, Hashable {
    /// A base type.
    case base(BaseType)
    /// A declared enum, value, union, scalar or entity, by its name. A field of an entity's type is a reference.
    case named(String)
    /// `T?`
    case optional(TypeExpression)
    /// `[T]`
    case list(TypeExpression)
    /// `[String: T]`
    case map(TypeExpression)

    /// Whether the outermost layer is `?`.
    public var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    /// The type without its outermost `?`.
    public var unwrapped: TypeExpression {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    /// The text a user writes for the type.
    public var description: String {
        switch self {
        case .base(let base): base.rawValue
        case .named(let name): name
        case .optional(let wrapped): wrapped.description + "?"
        case .list(let element): "[\(element.description)]"
        case .map(let value): "[String: \(value.description)]"
        }
    }
}
