internal import ConditionLanguage
internal import RepositorySchema

/// Translates a condition to Swift, using the query operators of the runtime.
///
/// The condition `author == $author && pages > $pages` becomes
/// `$0.authorID == author && $0.pages > pages`.
struct ConditionTranslator {
    /// The scope in which types are resolved.
    let scope: SchemaScope
    /// The expression that the fields are members of, such as `$0` or `book`.
    let root: String
    /// Replacements for fields of the entity, by property name. A field without a replacement is a
    /// member of ``root``.
    var substitutes: [String: String] = [:]
    /// The depth of the fields that are members of ``root``: how many references lead there.
    var relativeDepth = 0

    /// Returns the operands of the outermost `&&` as separate conditions.
    func conjuncts(_ condition: CheckedCondition) -> [ConditionCode] {
        guard case .all(let parts) = condition else { return [code(condition)] }
        return parts.flatMap(conjuncts)
    }

    /// Returns the code of a condition.
    func code(_ condition: CheckedCondition) -> ConditionCode {
        switch condition {
        case .all(let parts): return .joined("&&", parts.map(code))
        case .any(let parts): return .joined("||", parts.map(code))
        case .not(.isNull(let field)) where field.depth == relativeDepth:
            return .comparison(name(field), "!=", "nil")
        case .not(let inner): return .negated(code(inner))
        case .compare(let field, let comparison, let value):
            return .comparison(name(field), comparison.rawValue, swift(value))
        case .compareFields(let field, let comparison, let other):
            return .comparison(name(field), comparison.rawValue, name(other))
        case .isIn(let field, let values):
            return .call("\(name(field)).in([", values.map { swift($0) }, "])")
        case .isInParameter(let field, let parameter):
            return .text("\(name(field)).in(\(Naming.localName(parameter)))")
        case .function(let function, let field, let value):
            return .text("\(name(field)).\(function.rawValue)(\(swift(value)))")
        case .isNull(let field): return .comparison(name(field), "==", "nil")
        case .related(let quantifier, let relation, let condition):
            var inner = ConditionTranslator(scope: scope, root: "$0")
            inner.relativeDepth = relation.depth
            return .closure("\(name(relation)).\(quantifier.rawValue)", inner.code(condition))
        case .count(let relation, let comparison, let value):
            return .comparison(
                "\(name(relation)).count", comparison.rawValue, swift(value))
        }
    }

    /// The Swift expression of a field.
    private func name(_ field: ConditionField) -> String {
        let properties = field.properties.map(Naming.escaped)
        if let first = field.properties.first, let substitute = substitutes[first] {
            return ([substitute] + properties.dropFirst()).joined(separator: ".")
        }
        return ([root] + properties).joined(separator: ".")
    }

    /// The Swift expression of a relation.
    private func name(_ relation: ConditionRelation) -> String {
        ([root] + relation.properties.map(Naming.escaped)).joined(separator: ".")
    }

    /// The Swift expression of a value. An id of a literal is created with its raw value, unless
    /// the id type accepts the literal directly.
    private func swift(_ value: ConditionValue) -> String {
        switch value {
        case .parameter(let name): return Naming.localName(name)
        case .literal(let text, let literalType): return swift(text, literalType)
        case .identifier(let entity, let text, let literalType):
            let literal = swift(text, literalType)
            if case .base(let base) = literalType, base != .uuid { return literal }
            let id = TypeTranslator(scope: scope).swift(.named(entity))
            return "\(id)(rawValue: \(literal))"
        }
    }

    /// The Swift expression of a literal.
    private func swift(_ text: String, _ type: TypeExpression) -> String {
        LiteralTranslator(scope: scope).swift(.scalar(text, isPlain: true), as: type)
    }
}
