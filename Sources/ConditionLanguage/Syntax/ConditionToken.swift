/// A token of a condition.
struct ConditionToken {
    /// The kind of a token.
    enum Kind: Equatable {
        /// The name of a field, a function or an enum case, or a keyword.
        case name(String)
        /// `$name`
        case parameter(String)
        /// A number or a date, as written.
        case number(String)
        /// A quoted string, without quotes and with escapes resolved.
        case text(String)
        /// An operator, a bracket or a comma.
        case symbol(String)
        /// The end of the condition.
        case end
    }

    /// The kind and content.
    var kind: Kind
    /// The range in the condition's text, in Unicode scalars.
    var range: Range<Int>
}

/// Splits a condition into tokens, in one pass.
///
/// Tokens are separated by white space where necessary. Positions are offsets in Unicode scalars.
struct ConditionTokenizer {
    /// The text as Unicode scalars. All ranges are offsets in this array.
    private let scalars: [Unicode.Scalar]
    /// The offset of the next scalar.
    private var index = 0

    /// Creates a tokeniser for a condition.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// Returns all tokens, followed by `.end`. Throws if the condition is too long or contains an
    /// invalid token.
    mutating func tokens() throws(ConditionProblem) -> [ConditionToken] {
        guard scalars.count <= ConditionLimits.length else {
            throw ConditionProblem(
                "a condition is at most \(ConditionLimits.length) characters long",
                0..<scalars.count, "write it in Swift: repositories take any query")
        }
        var tokens: [ConditionToken] = []
        while true {
            while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
            let start = index
            guard index < scalars.count else {
                return tokens + [ConditionToken(kind: .end, range: endRange)]
            }
            let kind = try token()
            tokens.append(ConditionToken(kind: kind, range: start..<index))
        }
    }

    /// The empty range after the last character that is not white space.
    private var endRange: Range<Int> {
        let end = (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
        return end..<end
    }

    /// Reads the token at the current position, which is not white space.
    private mutating func token() throws(ConditionProblem) -> ConditionToken.Kind {
        let start = index
        let scalar = scalars[index]
        if scalar == "\"" || scalar == "'" { return .text(try text(quote: scalar)) }
        if Self.isNameStart(scalar) { return .name(name()) }
        if Self.isDigit(scalar) || (scalar == "-" && Self.isDigit(peek(1))) { return number() }
        if scalar == "$" {
            index += 1
            guard let next = peek(), Self.isNameStart(next) else {
                throw ConditionProblem(
                    "the name of a parameter is missing behind '$'", start..<index,
                    "write '$name'")
            }
            return .parameter(name())
        }
        return .symbol(try symbol())
    }

    /// Reads an operator, a bracket or a comma. Throws with a suggestion for operators of other
    /// languages.
    private mutating func symbol() throws(ConditionProblem) -> String {
        let start = index
        let scalar = scalars[index]
        index += 1
        let pair = peek().map { String(scalar) + String($0) }
        if let pair, ["==", "!=", "<=", ">=", "&&", "||"].contains(pair) {
            index += 1
            return pair
        }
        if "<>!()[],.".unicodeScalars.contains(scalar) {
            if pair == "<>" {
                throw ConditionProblem("'<>' is no operator", start..<index + 1, "write '!='")
            }
            return String(scalar)
        }
        let range = start..<index
        switch scalar {
        case "=": throw ConditionProblem("'=' is no operator", range, "write '=='")
        case "&": throw ConditionProblem("'&' is no operator", range, "write '&&'")
        case "|": throw ConditionProblem("'|' is no operator", range, "write '||'")
        case "+", "-", "*", "/", "%":
            throw ConditionProblem(
                "a condition cannot calculate: '\(scalar)' is no operator", range,
                "let the program calculate, and give the result as a parameter: '$value'")
        default:
            throw ConditionProblem(
                "'\(scalar)' has no meaning in a condition", range,
                "quote it, if it is text: \"\(scalar)\"")
        }
    }

    /// Reads a name: a Unicode identifier (XID), including `_`.
    private mutating func name() -> String {
        let start = index
        while let scalar = peek(), scalar == "_" || scalar.properties.isXIDContinue { index += 1 }
        return slice(start..<index)
    }

    /// Reads a number or a date.
    private mutating func number() -> ConditionToken.Kind {
        let start = index
        index += 1
        while let scalar = peek(), Self.isInNumber(scalar) {
            index += 1
        }
        return .number(slice(start..<index))
    }

    /// Reads a quoted string. Both quotation marks are allowed.
    private mutating func text(quote: Unicode.Scalar) throws(ConditionProblem) -> String {
        let start = index
        index += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            if scalar == quote {
                index += 1
                return String(text)
            }
            text.append(scalar == "\\" ? try escape() : scalar)
            index += 1
        }
        throw ConditionProblem(
            "this text is not closed", start..<start + 1,
            "close it with \(quote); a condition that holds ' #' or ': ' must be quoted as a whole")
    }

    /// Reads an escape sequence and returns its scalar. The caller skips the last character of the
    /// sequence.
    ///
    /// Supported escapes: `\\`, `\"`, `\'`, `\n`, `\r`, `\t` and `\u{…}`. `\u{0}` is rejected.
    private mutating func escape() throws(ConditionProblem) -> Unicode.Scalar {
        let start = index
        index += 1
        switch peek() {
        case "\\": return "\\"
        case "\"": return "\""
        case "'": return "'"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u" where peek(1) == "{":
            index += 2
            let digits = index
            while let scalar = peek(), scalar != "}", index - digits < 9 { index += 1 }
            let value = UInt32(slice(digits..<index), radix: 16).flatMap(Unicode.Scalar.init)
            if let value, value != "\0", peek() == "}" { return value }
        default: break
        }
        throw ConditionProblem(
            "this escape is not known", start..<min(index + 1, scalars.count),
            "the escapes are \\\\ \\\" \\' \\n \\r \\t and \\u{…}")
    }

    /// The scalar at an offset from the current position, or nil after the end.
    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    /// The text of a range.
    private func slice(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    /// Returns whether a scalar can start a name.
    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart
    }

    /// Returns whether a scalar is an ASCII digit.
    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    /// Returns whether a scalar can be part of a number or a date: `-1.5e+3`,
    /// `2024-02-29T12:30:00Z`. The type of the field decides later which of them it must be.
    private static func isInNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == ":" || scalar == "-" || scalar == "+" || scalar == "_"
            || scalar.properties.isXIDContinue
    }
}
