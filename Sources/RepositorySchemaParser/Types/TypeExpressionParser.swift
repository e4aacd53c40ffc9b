internal import RepositorySchema

/// A recursive-descent parser for type expressions.
///
/// ```
/// type    = primary "?"?
/// primary = name | "[" type "]" | "[" "String" ":" type "]"
/// ```
struct TypeExpressionParser {
    private let scalars: [Unicode.Scalar]
    private let node: YAMLNode
    private var position = 0

    /// The maximum nesting depth of brackets, which bounds the recursion.
    private static let depth = 16

    /// Creates a parser for a node's text.
    init(text: String, node: YAMLNode) {
        scalars = Array(text.unicodeScalars)
        self.node = node
    }

    /// Parses the whole text.
    mutating func parse() throws(TypeExpressionError) -> TypeExpression {
        let type = try type(depth: 0)
        skipSpaces()
        guard position == scalars.count else { throw trailing() }
        return type
    }

    /// Parses `type`.
    private mutating func type(depth: Int) throws(TypeExpressionError) -> TypeExpression {
        let primary = try primary(depth: depth)
        guard take("?") else { return primary }
        skipSpaces()
        guard position == scalars.count || scalars[position] != "?" else {
            throw error(
                "a type cannot be optional twice", position..<position + 1, "remove one '?'")
        }
        return .optional(primary)
    }

    /// Parses `primary`.
    private mutating func primary(depth: Int) throws(TypeExpressionError) -> TypeExpression {
        skipSpaces()
        guard take("[") else { return try name() }
        guard depth < Self.depth else {
            throw error("lists are nested more than \(Self.depth) levels deep", 0..<1)
        }
        skipSpaces()
        let start = position
        let first = try type(depth: depth + 1)
        if take(":") {
            guard first == .base(.string) else {
                throw error(
                    "the keys of a map are String, not '\(first.description)'",
                    start..<position - 1,
                    "write \"[String: T]\", and the other keys as text")
            }
            let value = try type(depth: depth + 1)
            try close()
            return .map(value)
        }
        try close()
        return .list(first)
    }

    /// Parses a closing bracket.
    private mutating func close() throws(TypeExpressionError) {
        guard take("]") else {
            throw error(
                "a ']' is missing", position..<position + 1,
                "types are written like \"[Date]?\" and \"[String: Int]\"")
        }
    }

    /// Parses a name, and rejects the integer types that stores cannot represent.
    private mutating func name() throws(TypeExpressionError) -> TypeExpression {
        let start = position
        while position < scalars.count, Self.isPartOfName(scalars[position]) { position += 1 }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<position])
        let name = String(text)
        guard !name.isEmpty else {
            let found = start < scalars.count ? ", not '\(scalars[start])'" : ""
            throw error(
                "the name of a type is expected\(found)", start..<start + 1,
                "types are written like 'String', 'Int?', \"[Date]?\" and \"[String: Int]\"")
        }
        guard Naming.isIdentifier(name) else {
            throw error(
                "'\(name.shortened)' cannot be the name of a type", start..<position,
                name.contains(".")
                    ? "declare it as a 'scalar' with the key 'import', "
                        + "and name it without its module"
                    : nil)
        }
        if name == "UInt" || name == "UInt64" {
            throw error(
                "no store can represent a \(name) exactly", start..<position,
                "use 'Int64' or 'Decimal'")
        }
        return BaseType(written: name).map(TypeExpression.base) ?? .named(name)
    }

    /// The error for text after a complete type. The help explains notations of other languages.
    private func trailing() -> TypeExpressionError {
        let found = scalars[position]
        let help: String? =
            switch found {
            case "<": "write '[T]' for a list and \"[String: T]\" for a map"
            case "!": "write '?' for an optional type"
            case "(": "a length is a separate key: '{ type: String, maxLength: 20 }'"
            default: nil
            }
        return error("'\(found)' is not expected in a type", position..<position + 1, help)
    }

    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "[", "]", "?", ":", "!", "<", ">", "(", ")", "{", "}", ",": false
        default: !isSpace(scalar)
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? scalar.value <= 0x20 : scalar.properties.isWhitespace
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while position < scalars.count, Self.isSpace(scalars[position]) { position += 1 }
    }

    /// An error at a part of the text.
    private func error(
        _ message: String, _ part: Range<Int>, _ help: String? = nil
    ) -> TypeExpressionError {
        TypeExpressionError(
            diagnostic: Diagnostic(message, at: node.range(ofText: part), help: help))
    }
}
