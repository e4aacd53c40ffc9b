/// The error that ends the parsing of a pattern.
struct PatternError: Error {
    /// The problem at which parsing stopped.
    var problem: PatternSyntax.Problem
}

/// Parses a pattern by recursive descent, and counts the states of the automaton that matches it.
///
/// ``PatternSyntax`` documents the grammar and the limits.
///
/// Counting states while parsing bounds the cost: the parser stops as soon as the pattern exceeds
/// the limit.
struct PatternParser {
    /// The pattern as Unicode scalars.
    private let scalars: [Unicode.Scalar]
    /// The offset of the next scalar.
    private var position = 0
    /// The offsets of `^` and `$`, which are reported together.
    private var anchors: [Int] = []

    /// Creates a parser for a pattern.
    init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    /// Parses the complete pattern. Throws at the first problem.
    mutating func parse() throws(PatternError) {
        _ = try alternatives(depth: 0)
        if position < scalars.count {
            throw error(
                "this ')' has no '('", position..<position + 1, "write '\\)' for the character")
        }
        guard let first = anchors.first, let last = anchors.last else { return }
        let kinds = Set(anchors.map { scalars[$0] }).sorted(by: >)
        let names = kinds.map { "'\($0)'" }.joined(separator: " and ")
        let escapes = kinds.map { "'\\\($0)'" }.joined(separator: " and ")
        let isOne = kinds.count == 1
        throw error(
            "\(names) \(isOne ? "is" : "are") not needed: the whole text must match",
            first..<last + 1,
            isOne
                ? "remove it, or write \(escapes) for the character"
                : "remove them, or write \(escapes) for the characters")
    }

    /// Parses alternatives up to a `)` or the end.
    ///
    /// - Returns: The number of states that they require.
    /// - Parameter depth: The nesting depth of the group.
    private mutating func alternatives(depth: Int) throws(PatternError) -> Int {
        var states = 0
        while let scalar = peek(), scalar != ")" {
            let start = position
            if take("|") {
                states += 2
            } else {
                let atom = try atom(depth: depth)
                states += try quantifier().states(of: atom)
            }
            guard states <= PatternSyntax.mostStates else {
                throw error(
                    "the pattern takes more than \(PatternSyntax.mostStates) states "
                        + "with all repetitions written out",
                    start..<position, "use smaller bounds")
            }
        }
        return states
    }

    /// Parses an atom and returns the number of its states.
    private mutating func atom(depth: Int) throws(PatternError) -> Int {
        let start = position
        guard let scalar = next() else { return 0 }
        switch scalar {
        case "(": return try group(start, depth: depth)
        case "[": try characterClass(start)
        case "\\": _ = try escape(start, inClass: false)
        case "^", "$": anchors.append(start)
        case "*", "+", "?", "{":
            throw error(
                "nothing stands before '\(scalar)' that it could repeat", start..<position,
                "write '\\\(scalar)' for the character")
        case "]", "}":
            throw error(
                "this '\(scalar)' closes nothing", start..<position,
                "write '\\\(scalar)' for the character")
        default: break
        }
        return 1
    }

    /// Parses a group, after its opening bracket, and returns the number of its states.
    private mutating func group(_ start: Int, depth: Int) throws(PatternError) -> Int {
        guard depth < PatternSyntax.deepest else {
            throw error(
                "brackets stand more than \(PatternSyntax.deepest) deep in one another",
                start..<position)
        }
        if peek() == "?", !(position + 1 < scalars.count && scalars[position + 1] == ":") {
            throw error(
                "groups that begin with '(?' are not supported", start..<position + 1,
                "write a plain group: '(…)'")
        }
        if take("?") { _ = take(":") }
        let states = try alternatives(depth: depth + 1)
        guard take(")") else {
            throw error("this '(' is not closed", start..<start + 1, "close it with ')'")
        }
        return max(1, states)
    }

    /// The bounds of a quantifier.
    private struct Repetition {
        /// The minimum.
        var least = 1
        /// The maximum, or nil if it is unbounded.
        var most: Int? = 1

        /// Returns the number of states for the repetition of an atom with `atom` states. Bounded
        /// repetitions are expanded: each required copy takes the states of the atom, each optional
        /// copy one more.
        func states(of atom: Int) -> Int {
            least * atom + (most.map { ($0 - least) * (atom + 1) } ?? atom + 2)
        }
    }

    /// Parses a quantifier, if one follows. Otherwise returns a repetition of exactly one.
    ///
    /// Lazy and possessive quantifiers are rejected: the whole text matches or does not match.
    private mutating func quantifier() throws(PatternError) -> Repetition {
        let start = position
        var repetition = Repetition()
        switch peek() {
        case "*": repetition = Repetition(least: 0, most: nil)
        case "+": repetition = Repetition(least: 1, most: nil)
        case "?": repetition = Repetition(least: 0, most: 1)
        case "{": repetition = try bounds()
        default: return repetition
        }
        position += 1
        if let scalar = peek(), "*+?{".unicodeScalars.contains(scalar) {
            throw error(
                "a quantifier cannot follow another one", start..<position + 1,
                scalar == "?" || scalar == "+"
                    ? "remove the '\(scalar)': the whole text matches or does not, greedy or not"
                    : "put the first part into a group: '(…)'")
        }
        return repetition
    }

    /// Parses the bounds of `{…}`. The caller skips the closing `}`.
    private mutating func bounds() throws(PatternError) -> Repetition {
        let start = position
        position += 1
        let help = "write '{3}', '{3,}' or '{3,5}', or '\\{' for the character"
        guard let least = number() else {
            throw error("a number is missing behind '{'", start..<position, help)
        }
        var most: Int? = least
        if take(",") { most = peek() == "}" ? nil : number() ?? -1 }
        guard peek() == "}", most != -1 else {
            throw error("these bounds are not closed", start..<position, help)
        }
        guard least <= PatternSyntax.largestBound, most ?? 0 <= PatternSyntax.largestBound else {
            throw error(
                "a bound is at most \(PatternSyntax.largestBound)", start..<position + 1,
                "use '*' or '+', and 'maxLength' for the length of the text")
        }
        if let most, most < least {
            throw error(
                "the first bound is greater than the second", start..<position + 1, "swap them")
        }
        return Repetition(least: least, most: most)
    }

    /// Parses a character class, after its opening bracket.
    private mutating func characterClass(_ start: Int) throws(PatternError) {
        _ = take("^")
        var isFirst = true
        while true {
            guard let scalar = peek() else {
                throw error("this '[' is not closed", start..<start + 1, "close it with ']'")
            }
            if scalar == "]" {
                position += 1
                guard isFirst else { return }
                throw error(
                    "this class is empty", start..<position, "write '\\]' for the character ']'")
            }
            isFirst = false
            try classPart()
        }
    }

    /// Parses a single character or a range of a class.
    ///
    /// `-` is a literal at the end of the class.
    private mutating func classPart() throws(PatternError) {
        let start = position
        let lower = try classCharacter()
        guard peek() == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
            return
        }
        position += 1
        let upper = try classCharacter()
        guard let lower, let upper else {
            throw error(
                "a range goes from one character to another", start..<position,
                "write '\\-' for the character '-'")
        }
        guard lower <= upper else {
            throw error(
                "the range '\(lower)-\(upper)' is empty", start..<position, "swap its ends")
        }
    }

    /// Parses a character of a class. Returns nil for a predefined set such as `\d`.
    private mutating func classCharacter() throws(PatternError) -> Unicode.Scalar? {
        let start = position
        guard let scalar = next() else { return nil }
        if scalar == "\\" { return try escape(start, inClass: true) }
        if scalar == "[" {
            throw error(
                "a '[' inside a class must be escaped", start..<position,
                "write '\\[' for the character")
        }
        return scalar
    }

    /// Parses the escape after a backslash. Returns nil for a predefined set such as `\d`.
    private mutating func escape(
        _ start: Int, inClass: Bool
    ) throws(PatternError) -> Unicode.Scalar? {
        guard let scalar = next() else {
            throw error(
                "a '\\' ends the pattern", start..<position, "write '\\\\' for the character")
        }
        switch scalar {
        case "d", "w", "s", "D", "W", "S": return nil
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        default: break
        }
        guard scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F,
            !scalar.properties.isAlphabetic,
            !("0"..."9").contains(scalar)
        else {
            let isReference = ("1"..."9").contains(scalar)
            throw error(
                isReference
                    ? "references to groups are not supported"
                    : "the escape '\\\(scalar)' is not supported",
                start..<position,
                isReference
                    ? nil : "the escapes are \\d \\w \\s \\D \\W \\S \\n \\r \\t and punctuation")
        }
        return scalar
    }

    /// Parses a decimal number. Values above 1,000,000 are clamped, which is above every limit.
    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = peek(), ("0"..."9").contains(scalar) {
            position += 1
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), 1_000_000)
        }
        return value
    }

    /// The next scalar, or nil at the end.
    private func peek() -> Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    /// Consumes and returns the next scalar.
    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        position += 1
        return scalar
    }

    /// Consumes the given scalar if it is next.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// Creates an error at a range of the pattern.
    private func error(_ message: String, _ range: Range<Int>, _ help: String? = nil)
        -> PatternError
    {
        PatternError(problem: PatternSyntax.Problem(message: message, range: range, help: help))
    }
}
