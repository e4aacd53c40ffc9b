internal import RepositorySchema

/// A condition in Swift, by the runtime's operators of fields.
struct ConditionTranslator {
    let scope: SchemaScope
    /// What the fields are members of: `$0`, `book`.
    let root: String
    /// Fields of the entity by the names of their properties, where they are not to be named as members.
    var substitutes: [String: String] = [:]

    /// The parts that are joined by `&&` on the outside, each by itself.
    func conjuncts(_ condition: CheckedCondition) -> [ConditionCode] {
        guard case .all(let parts) = condition else { return [code(condition)] }
        return parts.flatMap(conjuncts)
    }

    /// The whole condition.
    func code(_ condition: CheckedCondition) -> ConditionCode {
        switch condition {
        case .all(let parts): return .joined("&&", parts.map(code))
        case .any(let parts): return .joined("||", parts.map(code))
        case .not(.isNull(let field)): return .comparison(name(field), "!=", "nil")
        case .not(let inner): return .negated(code(inner))
        case .compare(let field, let comparison, let value):
            return .comparison(name(field), comparison.rawValue, swift(value))
        case .isIn(let field, let values):
            return .call("\(name(field)).in([", values.map { swift($0) }, "])")
        case .isInParameter(let field, let parameter):
            return .text("\(name(field)).in(\(Naming.local(parameter)))")
        case .function(let function, let field, let value):
            return .text("\(name(field)).\(function.rawValue)(\(swift(value)))")
        case .isNull(let field): return .comparison(name(field), "==", "nil")
        }
    }

    private func name(_ field: ConditionField) -> String {
        let properties = field.properties.map(Naming.escaped)
        if let first = field.properties.first, let substitute = substitutes[first] {
            return ([substitute] + properties.dropFirst()).joined(separator: ".")
        }
        return ([root] + properties).joined(separator: ".")
    }

    private func swift(_ value: ConditionValue) -> String {
        switch value {
        case .parameter(let name): return Naming.local(name)
        case .literal(let text, let literalType): return swift(text, literalType)
        case .identifier(let entity, let text, let literalType):
            let literal = swift(text, literalType)
            if case .base(let base) = literalType, base != .uuid { return literal }
            let id = TypeTranslator(scope: scope).swift(.named(entity))
            return "\(id)(rawValue: \(literal))"
        }
    }

    private func swift(_ text: String, _ type: TypeExpression) -> String {
        LiteralTranslator(scope: scope).swift(.scalar(text, isPlain: true), as: type)
    }
}
