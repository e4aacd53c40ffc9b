internal import RepositorySchema

/// The error for an invalid type expression.
struct TypeExpressionError: Error {
    /// The error with its location.
    var diagnostic: Diagnostic
}

extension TypeExpression {
    /// Parses a type: a string such as `[String: Int]?`, or the flow sequence that YAML makes of an
    /// unquoted `[String]` or `[String: Int]`.
    static func parse(_ node: YAMLNode) -> Result<TypeExpression, TypeExpressionError> {
        do throws(TypeExpressionError) {
            return .success(try read(node))
        } catch {
            return .failure(error)
        }
    }

    /// Parses a node. A flow sequence is a list type, or a map type if its element is a mapping.
    private static func read(_ node: YAMLNode) throws(TypeExpressionError) -> TypeExpression {
        switch node.content {
        case .scalar(let scalar):
            if node.isNull {
                throw error(
                    "a type is missing", at: node.range, help: "write 'String', 'Int?', '[Date]' …")
            }
            var parser = TypeExpressionParser(text: scalar.text, node: node)
            return try parser.parse()
        case .sequence(let elements):
            guard let element = elements.first, elements.count == 1 else {
                throw error(
                    "a list type has one element type, not \(elements.count)", at: node.range,
                    help: "write '[String]', or \"[String: Int]\" for a map")
            }
            if let entries = element.entries { return try map(entries, element) }
            return .list(try read(element))
        case .mapping:
            throw error(
                "a type is expected, not a mapping", at: node.range,
                help: "a map is written in brackets and quotes: \"[String: Int]\"")
        }
    }

    /// Parses the map type that an unquoted `[String: T]` is in YAML.
    private static func map(
        _ entries: [YAMLEntry], _ node: YAMLNode
    ) throws(TypeExpressionError) -> TypeExpression {
        guard let entry = entries.first, entries.count == 1 else {
            throw error(
                "a map type has one key type and one value type", at: node.range,
                help: "write \"[String: Int]\"")
        }
        guard entry.key.value == "String" else {
            throw error(
                "the keys of a map are String, not '\(entry.key.value.shortened)'",
                at: entry.key.range, help: "write \"[String: T]\", and the other keys as text")
        }
        return .map(try read(entry.value))
    }

    private static func error(
        _ message: String, at range: SourceRange, help: String? = nil
    ) -> TypeExpressionError {
        TypeExpressionError(diagnostic: Diagnostic(message, at: range, help: help))
    }
}
