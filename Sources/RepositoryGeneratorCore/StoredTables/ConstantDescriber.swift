internal import RepositorySchema
internal import StoredSchema

/// Describes literals of the schema as stored constants; see ``LiteralTranslator``, which writes them
/// for the runtime.
///
/// The validator has checked the literals, so the description cannot fail.
struct ConstantDescriber {
    /// The scope in which enums are resolved.
    let scope: SchemaScope

    /// Returns the constant of a literal.
    func constant(_ literal: Literal, as type: TypeExpression) -> StoredConstant {
        switch (type, literal) {
        case (.optional(let wrapped), _): return constant(literal, as: wrapped)
        case (.list(let element), .list(let values)):
            return .list(values.map { constant($0.value, as: element) })
        case (.map(let value), .map(let entries)):
            let pairs = entries.map { ($0.key.value, constant($0.value.value, as: value)) }
            return .object(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        case (.base(let base), .scalar(let text, _)): return constant(text, as: base)
        case (.named(let name), .scalar(let text, _)): return constant(caseName: text, of: name)
        // The validator rejects all other combinations.
        default: return .null
        }
    }

    /// Returns the constant of a literal of a base type.
    private func constant(_ text: String, as base: BaseType) -> StoredConstant {
        switch base.stored.kind {
        case .text: .text(text)
        case .bool: .bool(text == "true")
        // Adding zero converts negative zero to zero, which is how it is stored.
        case .double where base == .float: .double(Float(text).map { Double($0 + 0) } ?? 0)
        case .double: .double(Double(text).map { $0 + 0 } ?? 0)
        case .decimal: .decimal(DecimalNotation.canonical(text) ?? text)
        case .date: .date(DateLiteral.microseconds(text) ?? 0)
        case .uuid: .uuid(text.uppercased())
        case .data: .data("")
        case .integer: .integer(Int64(text) ?? 0)
        }
    }

    /// Returns the constant of an enum case: its raw value.
    private func constant(caseName: String, of name: String) -> StoredConstant {
        guard case .enumeration(let enumeration) = scope.declarations[name],
            let item = enumeration.cases.first(where: { $0.name.value == caseName })
        else { return .null }
        return constant(item.rawValue?.value ?? caseName, as: enumeration.rawType.value)
    }
}
