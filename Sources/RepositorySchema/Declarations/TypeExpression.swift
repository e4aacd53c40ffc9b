/// A type in a schema: `String`, `Author?`, `[String: Int]`.
public indirect enum TypeExpression: Sendable, Hashable {
    /// A base type.
    case base(BaseType)
    /// A declared enum, value, union, scalar or entity. A field whose type is an entity is a
    /// reference.
    case named(String)
    /// `T?`
    case optional(TypeExpression)
    /// `[T]`
    case list(TypeExpression)
    /// `[String: T]`
    case map(TypeExpression)

    /// Whether the type is optional.
    public var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    /// The type without its outermost optional.
    public var unwrapped: TypeExpression {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    /// The type in the notation of the schema language.
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
