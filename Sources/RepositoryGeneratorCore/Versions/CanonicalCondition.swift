internal import ConditionLanguage
internal import RepositorySchema

/// Writes conditions in one canonical way: fields to the left, single spaces, no brackets that
/// change nothing, and canonical literals.
///
/// ```
/// ((0<pages)) && !sold      pages > 0 && sold == false
/// price>=1.50               price >= 1.5
/// ```
struct CanonicalCondition {
    /// The names that the condition can use.
    private let context: ConditionContext

    /// Creates a writer for the conditions of an entity whose mixins are expanded.
    init(_ entity: EntityDeclaration, scope: SchemaScope) {
        context = ConditionContext(entity, scope: scope)
    }

    /// Returns the canonical text. A condition that has a mistake is returned as it is, and so is
    /// one whose canonical text would exceed the limits of conditions.
    func text(_ condition: ConditionText) -> String {
        var checker = ConditionChecker(context)
        guard let checked = checker.check(condition), checker.problems.isEmpty else {
            return condition.text
        }
        let text = Self.text(checked)
        do {
            _ = try ConditionParser.parse(text)
            return text
        } catch {
            return condition.text
        }
    }

    private static func text(_ condition: CheckedCondition) -> String {
        switch condition {
        case .all: parts(condition, joinedBy: "&&")
        case .any: parts(condition, joinedBy: "||")
        case .not(let inner): "!(\(text(inner)))"
        case .compare(let field, let comparison, let value):
            "\(name(field)) \(comparison.rawValue) \(text(value))"
        case .compareFields(let field, let comparison, let other):
            "\(name(field)) \(comparison.rawValue) \(name(other))"
        case .isIn(let field, let values):
            "\(name(field)) in [\(values.map(text).joined(separator: ", "))]"
        case .isInParameter(let field, let parameter): "\(name(field)) in $\(parameter)"
        case .function(let function, let field, let value):
            "\(function.rawValue)(\(name(field)), \(text(value)))"
        case .isNull(let field): "\(name(field)) isNull"
        case .related(let quantifier, let relation, let condition):
            "\(quantifier.rawValue)(\(name(relation)), \(text(condition)))"
        case .count(let relation, let comparison, let value):
            "count(\(name(relation))) \(comparison.rawValue) \(text(value))"
        }
    }

    /// Returns the parts of a conjunction or disjunction. Parts of the same kind are joined without
    /// brackets, because both are associative.
    private static func parts(
        _ condition: CheckedCondition, joinedBy sign: String
    ) -> String {
        switch (condition, sign) {
        case (.all(let parts), "&&"), (.any(let parts), "||"):
            parts.map { self.parts($0, joinedBy: sign) }.joined(separator: " \(sign) ")
        case (.any, "&&"): "(\(text(condition)))"
        default: text(condition)
        }
    }

    private static func name(_ field: ConditionField) -> String {
        field.path.map(\.name.value).joined(separator: ".")
    }

    private static func name(_ relation: ConditionRelation) -> String {
        (relation.references.map(\.name.value) + [relation.relation.name.value])
            .joined(separator: ".")
    }

    private static func text(_ value: ConditionValue) -> String {
        switch value {
        case .literal(let text, let type), .identifier(_, let text, let type):
            guard case .base(let base) = type.unwrapped else { return text }
            let canonical = CanonicalLiteral.text(text, as: base)
            return base.isQuotedInVersions ? quoted(canonical) : canonical
        case .parameter(let name): return "$\(name)"
        }
    }

    /// Returns a text in the quotes and escapes of conditions.
    private static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.append("\\")
                result.append(scalar)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append("\"")
        return String(result)
    }
}
