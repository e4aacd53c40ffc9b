internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Describes literals of the schema as stored constants; see ``LiteralTranslator``, which writes them
/// for the runtime.
///
/// The validator has checked the literals, so the description cannot fail.
struct ConstantDescriber {
    /// The scope in which enums and unions are resolved.
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
        case (.base(let base), .scalar(let text, _)):
            return StoredConstant(literal: text, as: base.stored)
        case (.named(let name), .scalar(let text, _)): return constant(caseName: text, of: name)
        // The validator rejects all other combinations.
        default: return .null
        }
    }

    /// Returns the constant of an enum case, its raw value, or of a case of a union.
    private func constant(caseName: String, of name: String) -> StoredConstant {
        if case .union = scope.declarations[name] { return .object([caseName: .object([:])]) }
        guard case .enumeration(let enumeration) = scope.declarations[name],
            let item = enumeration.cases.first(where: { $0.name.value == caseName })
        else { return .null }
        return StoredConstant(
            literal: item.rawValue?.value ?? caseName, as: enumeration.rawType.value.stored)
    }
}
