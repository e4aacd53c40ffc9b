/// A recursive-descent parser for the patterns that ``TextPattern`` documents.
///
/// Each method consumes one construct and returns nil for a syntax error, after which the parser is
/// not used any more. There are no error messages: the generator validates patterns.
struct TextPatternParser {
    /// The maximum nesting depth of groups, which bounds the recursion.
    private static let maximumDepth = 100
    /// The maximum number in a repetition.
    private static let maximumCount = 1_000

    /// The pattern.
    private let scalars: [Unicode.Scalar]
    /// The position of the next scalar to parse.
    private var position = 0
    /// The number of open groups.
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// Parses the pattern; nil if it does not belong to the supported subset.
    mutating func parse() -> TextPatternNode? {
        guard let node = parseChoice(), position == scalars.count else { return nil }
        return node
    }

    /// The next scalar; nil at the end of the pattern.
    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// Consumes the next scalar if it is the given one, and returns whether it was.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Parses alternatives separated by `|`.
    private mutating func parseChoice() -> TextPatternNode? {
        var branches: [TextPatternNode] = []
        repeat {
            guard let branch = parseSequence() else { return nil }
            branches.append(branch)
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    /// Parses a sequence of repeated atoms, up to `|`, `)` or the end.
    private mutating func parseSequence() -> TextPatternNode? {
        var items: [TextPatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            guard let atom = parseAtom(), let item = parseRepeat(of: atom) else { return nil }
            items.append(item)
        }
        return items.isEmpty ? .empty : .sequence(items)
    }

    /// Parses a group, a class, an escape or a single scalar.
    private mutating func parseAtom() -> TextPatternNode? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "(":
            depth += 1
            defer { depth -= 1 }
            if next == "?" {
                guard take("?"), take(":") else { return nil }
            }
            guard depth <= Self.maximumDepth, let node = parseChoice(), take(")") else {
                return nil
            }
            return node
        case "[": return parseClass().map(TextPatternNode.scalars)
        case ".": return .scalars(ScalarSet([0x0A...0x0A], negated: true))
        case "\\": return parseEscape().map { .scalars(ScalarSet($0.ranges, negated: $0.negated)) }
        case "*", "+", "?", "{", "}", "]", ")", "|", "^", "$": return nil
        default: return .scalars(ScalarSet([scalar.value...scalar.value]))
        }
    }

    /// Parses the repetition that follows an atom, if there is one.
    private mutating func parseRepeat(of atom: TextPatternNode) -> TextPatternNode? {
        switch next {
        case "*":
            position += 1
            return finished(.repeated(atom, minimum: 0, maximum: nil))
        case "+":
            position += 1
            return finished(.repeated(atom, minimum: 1, maximum: nil))
        case "?":
            position += 1
            return finished(.repeated(atom, minimum: 0, maximum: 1))
        case "{":
            position += 1
            guard let minimum = parseNumber() else { return nil }
            var maximum: Int? = minimum
            if take(",") { maximum = next == "}" ? nil : parseNumber() ?? -1 }
            guard take("}"), maximum.map({ $0 >= minimum }) ?? true else { return nil }
            return finished(.repeated(atom, minimum: minimum, maximum: maximum))
        default:
            return atom
        }
    }

    /// Rejects a repetition of a repetition without a group: `a*?` and `a++` have other meanings in
    /// other dialects.
    private func finished(_ node: TextPatternNode) -> TextPatternNode? {
        switch next {
        case "*", "+", "?", "{": nil
        default: node
        }
    }

    /// Parses a decimal number; nil if there is none, or if it exceeds the maximum.
    private mutating func parseNumber() -> Int? {
        var value: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            position += 1
            let digit = Int(scalar.value - 48)
            value = (value ?? 0) * 10 + digit
            guard value ?? 0 <= Self.maximumCount else { return nil }
        }
        return value
    }
}

// MARK: - Classes and escapes

extension TextPatternParser {
    /// The scalars that an escape stands for.
    private typealias Escape = (ranges: [ClosedRange<UInt32>], negated: Bool)

    /// Parses a class after its opening bracket.
    ///
    /// A hyphen is literal at the start, at the end, and after an escape that stands for several
    /// scalars.
    private mutating func parseClass() -> ScalarSet? {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            // Other dialects treat an empty class, and some brackets, as literals. Both are
            // rejected.
            guard scalar != "]", scalar != "[" else { return nil }
            isFirst = false
            guard let lower = parseClassItem() else { return nil }
            guard lower.single != nil, next == "-", position + 1 < scalars.count,
                scalars[position + 1] != "]"
            else {
                ranges += lower.ranges
                continue
            }
            position += 1
            guard let upper = parseClassItem()?.single, let first = lower.single, first <= upper
            else { return nil }
            ranges.append(first...upper)
        }
        guard take("]"), !ranges.isEmpty else { return nil }
        return ScalarSet(ranges, negated: isNegated)
    }

    /// Parses one item of a class. `single` is its scalar, if it can be the bound of a range.
    private mutating func parseClassItem() -> (ranges: [ClosedRange<UInt32>], single: UInt32?)? {
        guard let scalar = next else { return nil }
        position += 1
        guard scalar == "\\" else { return ([scalar.value...scalar.value], scalar.value) }
        guard let escape = parseEscape() else { return nil }
        let ranges = escape.negated ? Self.complement(escape.ranges) : escape.ranges
        let isSingle = ranges.count == 1 && ranges[0].count == 1
        return (ranges, isSingle ? ranges[0].lowerBound : nil)
    }

    /// Parses an escape after its backslash.
    private mutating func parseEscape() -> Escape? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "d", "D": return ([48...57], scalar == "D")
        case "w", "W": return ([48...57, 65...90, 95...95, 97...122], scalar == "W")
        case "s", "S": return ([9...13, 32...32], scalar == "S")
        case "t": return ([9...9], false)
        case "n": return ([10...10], false)
        case "r": return ([13...13], false)
        default:
            // Escaped letters and digits are rejected, because other dialects give them meanings.
            guard scalar.isASCII, scalar.value > 32, scalar.value < 127,
                !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar)
            else { return nil }
            return ([scalar.value...scalar.value], false)
        }
    }

    /// The complement of ranges that are sorted and disjoint.
    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { result.append(start...range.lowerBound - 1) }
            start = range.upperBound + 1
        }
        result.append(start...0x10FFFF)
        return result
    }
}
