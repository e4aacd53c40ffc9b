/// Reads a pattern of the subset that ``TextPattern`` documents.
struct TextPatternParser {
    /// A bound on brackets within brackets.
    private static let maximumDepth = 100
    /// A bound on the numbers of a repeat.
    private static let maximumCount = 1_000

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// The pattern taken apart; nil when it is not of the subset.
    mutating func parse() -> TextPatternNode? {
        guard let node = parseChoice(), position == scalars.count else { return nil }
        return node
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func parseChoice() -> TextPatternNode? {
        var branches: [TextPatternNode] = []
        repeat {
            guard let branch = parseSequence() else { return nil }
            branches.append(branch)
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func parseSequence() -> TextPatternNode? {
        var items: [TextPatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            guard let atom = parseAtom(), let item = parseRepeat(of: atom) else { return nil }
            items.append(item)
        }
        return items.isEmpty ? .empty : .sequence(items)
    }

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

    /// A repeat of a repeat needs brackets: `a*?` and `a++` mean other things in other dialects.
    private func finished(_ node: TextPatternNode) -> TextPatternNode? {
        switch next {
        case "*", "+", "?", "{": nil
        default: node
        }
    }

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
    private typealias Escape = (ranges: [ClosedRange<UInt32>], negated: Bool)

    private mutating func parseClass() -> ScalarSet? {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            // An empty class, or a bracket that some dialects read as a literal.
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

    private mutating func parseClassItem() -> (ranges: [ClosedRange<UInt32>], single: UInt32?)? {
        guard let scalar = next else { return nil }
        position += 1
        guard scalar == "\\" else { return ([scalar.value...scalar.value], scalar.value) }
        guard let escape = parseEscape() else { return nil }
        let ranges = escape.negated ? Self.complement(escape.ranges) : escape.ranges
        let isSingle = ranges.count == 1 && ranges[0].count == 1
        return (ranges, isSingle ? ranges[0].lowerBound : nil)
    }

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
            // Letters and digits are kept for meanings that other dialects give them.
            guard scalar.isASCII, scalar.value > 32, scalar.value < 127,
                !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar)
            else { return nil }
            return ([scalar.value...scalar.value], false)
        }
    }

    /// Everything but ranges that stand in order and apart.
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
