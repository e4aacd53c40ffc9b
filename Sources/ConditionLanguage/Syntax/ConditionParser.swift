/// Parses a condition by recursive descent, in time linear in its length.
///
/// ``ConditionSyntax`` documents the grammar.
package struct ConditionParser {
    /// The tokens, which end with `.end`.
    private let tokens: [ConditionToken]
    /// The index of the current token. The last token is always `.end`, so the index stays valid.
    private var index = 0
    /// The current nesting depth of brackets and negations.
    private var depth = 0

    /// Parses a complete condition.
    ///
    /// - Throws: The first syntax error.
    package static func parse(_ text: String) throws(ConditionProblem) -> ConditionSyntax {
        var tokenizer = ConditionTokenizer(text)
        var parser = ConditionParser(tokens: try tokenizer.tokens())
        let condition = try parser.alternatives()
        try parser.expectEnd()
        return condition
    }

    private init(tokens: [ConditionToken]) {
        self.tokens = tokens
    }

    // MARK: Joints

    /// Parses conjunctions separated by `||`.
    ///
    /// Production: `condition`.
    private mutating func alternatives() throws(ConditionProblem) -> ConditionSyntax {
        var parts = [try conjunction()]
        while take("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// Parses parts separated by `&&`.
    ///
    /// Production: `conjunction`.
    private mutating func conjunction() throws(ConditionProblem) -> ConditionSyntax {
        var parts = [try part()]
        while take("&&") { parts.append(try part()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Parses a negation, a bracketed condition or a predicate.
    ///
    /// Production: `part`. A comparison after `!` must be in brackets.
    private mutating func part() throws(ConditionProblem) -> ConditionSyntax {
        let start = current.range
        guard depth < ConditionLimits.depth else {
            throw ConditionProblem(
                "brackets stand more than \(ConditionLimits.depth) deep in one another", start)
        }
        depth += 1
        defer { depth -= 1 }
        if take("!") {
            let isBracketed = isSymbol("(", at: index)
            let inner = try part()
            if !isBracketed, let operation = inner.operation {
                throw ConditionProblem(
                    "'!' stands before a comparison without brackets", start,
                    "write '!(a \(operation) b)'")
            }
            return .not(inner)
        }
        if take("(") {
            let inner = try alternatives()
            guard take(")") else { throw unclosed("(", start) }
            return inner
        }
        return try predicate()
    }

    // MARK: Predicates

    /// Parses a predicate: a comparison, a membership, a null check, a function or a single
    /// operand.
    ///
    /// Production: `predicate`. Comparisons cannot be chained.
    private mutating func predicate() throws(ConditionProblem) -> ConditionSyntax {
        if case .name(let name) = current.kind, isSymbol("(", at: index + 1) {
            if name == Self.count { return try counted() }
            if let quantifier = ConditionQuantifier(rawValue: name) {
                return try related(quantifier)
            }
            return try function(name)
        }
        let left = try operand()
        switch current.kind {
        case .symbol(let symbol):
            guard let comparison = ConditionComparison(rawValue: symbol) else { break }
            index += 1
            if case .name(Self.count) = current.kind, isSymbol("(", at: index + 1) {
                return .count(try countedPath(), comparison.swapped, left)
            }
            let right = try operand()
            if case .symbol(let next) = current.kind, ConditionComparison(rawValue: next) != nil {
                throw ConditionProblem(
                    "comparisons cannot be chained", current.range,
                    "write 'a < b && b < c'")
            }
            return .comparison(left, comparison, right)
        case .name("isNull"):
            index += 1
            return .isNull(left)
        case .name("in"):
            index += 1
            return .membership(left, try list())
        default: break
        }
        return .operand(left)
    }

    /// The function that counts related records.
    private static let count = "count"

    /// Parses `any`, `none` or `all` with a relation and a condition.
    ///
    /// Production: the second alternative of `predicate`.
    private mutating func related(
        _ quantifier: ConditionQuantifier
    ) throws(ConditionProblem) -> ConditionSyntax {
        let name = quantifier.rawValue
        let range = current.range
        index += 1
        let bracket = current.range
        index += 1
        let relation = try relationPath(name)
        guard take(",") else {
            throw ConditionProblem(
                "'\(name)' takes a relation and a condition", range,
                "write '\(name)(relation, condition)', in quotes inside '{ … }'")
        }
        let condition = try alternatives()
        guard take(")") else { throw unclosed("(", bracket) }
        return .related(quantifier, relation, condition)
    }

    /// Parses a comparison of the number of related records.
    ///
    /// Production: the third alternative of `predicate`.
    private mutating func counted() throws(ConditionProblem) -> ConditionSyntax {
        let relation = try countedPath()
        guard case .symbol(let symbol) = current.kind,
            let comparison = ConditionComparison(rawValue: symbol)
        else {
            throw ConditionProblem(
                "a number of records by itself is no condition", relation.range,
                "compare it: 'count(relation) >= 1'")
        }
        index += 1
        return .count(relation, comparison, try operand())
    }

    /// Parses `count` with a relation.
    private mutating func countedPath() throws(ConditionProblem) -> ConditionOperand {
        index += 1
        let bracket = current.range
        index += 1
        let relation = try relationPath(Self.count)
        guard take(")") else { throw unclosed("(", bracket) }
        return relation
    }

    /// Parses the path of a relation.
    private mutating func relationPath(
        _ function: String
    ) throws(ConditionProblem) -> ConditionOperand {
        let relation = try operand()
        guard case .path = relation.kind else {
            throw ConditionProblem(
                "'\(function)' asks for the records of a relation", relation.range,
                "write the name of the relation first")
        }
        return relation
    }

    /// Parses a function call with two operands.
    ///
    /// Production: the first alternative of `predicate`.
    private mutating func function(_ name: String) throws(ConditionProblem) -> ConditionSyntax {
        let range = current.range
        guard let function = ConditionFunction(rawValue: name) else {
            let names =
                ConditionFunction.allCases.map(\.rawValue)
                + ConditionQuantifier.allCases.map(\.rawValue) + [Self.count]
            throw ConditionProblem(
                "there is no function '\(name)'", range,
                name == "isNull"
                    ? "write 'field isNull'"
                    : NearestName.help(for: name, among: names, kind: "functions"))
        }
        index += 1
        let bracket = current.range
        index += 1
        var arguments = [try operand()]
        while take(",") { arguments.append(try operand()) }
        guard take(")") else { throw unclosed("(", bracket) }
        guard arguments.count == 2 else {
            throw ConditionProblem(
                "'\(name)' takes two operands", range, "write '\(name)(field, value)'")
        }
        return .function(function, range, arguments)
    }

    /// Parses the list or the parameter after `in`.
    ///
    /// Production: `list`. An empty list is an error, because no record matches it.
    private mutating func list() throws(ConditionProblem) -> ConditionList {
        let start = current.range
        if case .parameter(let name) = current.kind {
            index += 1
            return .parameter(name, start)
        }
        guard take("[") else {
            throw ConditionProblem(
                "a list or a parameter is expected behind 'in'", start,
                "write 'in [a, b]' or 'in $list'")
        }
        if case .symbol("]") = current.kind {
            throw ConditionProblem(
                "the list is empty: no record is like this",
                start.lowerBound..<current.range.upperBound,
                "write what it holds, or '$list'")
        }
        var elements = [try operand()]
        while take(",") { elements.append(try operand()) }
        let end = current.range.upperBound
        guard take("]") else { throw unclosed("[", start) }
        return .elements(elements, start.lowerBound..<end)
    }

    /// Parses a field path, a parameter or a literal.
    ///
    /// Production: `operand`.
    private mutating func operand() throws(ConditionProblem) -> ConditionOperand {
        let token = current
        let kind: ConditionOperand.Kind
        switch token.kind {
        case .name("true"): kind = .flag(true)
        case .name("false"): kind = .flag(false)
        case .name(let name): return try path(name, token.range)
        case .parameter(let name): kind = .parameter(name)
        case .number(let text): kind = .number(text)
        case .text(let text): kind = .text(text)
        case .symbol(let symbol):
            throw ConditionProblem(
                "a field or a value is expected before '\(symbol)'", token.range,
                symbol == "[" ? "a list stands behind 'in'" : nil)
        case .end: throw ConditionProblem("the condition ends too early", token.range)
        }
        index += 1
        return ConditionOperand(kind: kind, range: token.range)
    }

    /// Parses a field path: names separated by dots.
    private mutating func path(
        _ name: String, _ range: Range<Int>
    ) throws(ConditionProblem) -> ConditionOperand {
        index += 1
        var names = [(name: name, range: range)]
        while take(".") {
            guard case .name(let name) = current.kind else {
                throw ConditionProblem("a name is expected behind '.'", current.range)
            }
            names.append((name: name, range: current.range))
            index += 1
        }
        let end = names[names.count - 1].range.upperBound
        return ConditionOperand(kind: .path(names), range: range.lowerBound..<end)
    }

    // MARK: Tokens

    /// The token at the current position.
    private var current: ConditionToken { tokens[index] }

    /// Consumes the given symbol if it is the current token.
    private mutating func take(_ symbol: String) -> Bool {
        guard isSymbol(symbol, at: index) else { return false }
        index += 1
        return true
    }

    /// Returns whether a token is the given symbol.
    private func isSymbol(_ symbol: String, at index: Int) -> Bool {
        index < tokens.count && tokens[index].kind == .symbol(symbol)
    }

    /// Throws if tokens remain after the condition.
    private func expectEnd() throws(ConditionProblem) {
        let token = current
        switch token.kind {
        case .end: return
        case .symbol(")"), .symbol("]"):
            throw ConditionProblem("this bracket closes nothing", token.range, "remove it")
        case .name(let word):
            throw ConditionProblem(
                "an operator is expected before '\(word)'", token.range, Self.help(forWord: word))
        case .symbol("!"):
            throw ConditionProblem(
                "an operator is expected before '!'", token.range,
                "write '!(a in [b])' or '!(a isNull)'")
        case .symbol, .parameter, .number, .text:
            throw ConditionProblem(
                "an operator is expected here", token.range, "join two conditions by '&&' or '||'")
        }
    }

    /// Suggests the operator for a word from SQL or English.
    private static func help(forWord word: String) -> String {
        switch word.lowercased() {
        case "and": return "write '&&'"
        case "or": return "write '||'"
        case "is", "isnull": return "write 'field isNull' or '!(field isNull)'"
        case "not": return "write '!( … )'"
        case "like": return "write 'contains(field, \"text\")' or 'hasPrefix(field, \"text\")'"
        default:
            return NearestName.of(word, among: ["in", "isNull"]).map { "did you mean '\($0)'?" }
                ?? "join two conditions by '&&' or '||'"
        }
    }

    /// The problem of a bracket without its counterpart.
    private func unclosed(_ bracket: String, _ range: Range<Int>) -> ConditionProblem {
        ConditionProblem(
            "this '\(bracket)' is not closed", range,
            "close it; a condition with commas must be quoted inside '{ … }'")
    }
}
