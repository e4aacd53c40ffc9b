/// A compiled `pattern` of the schema language: the whole text must match.
///
/// The subset, over Unicode scalars: literals, `.` (anything but a line feed), classes `[a-z_]` and `[^…]`,
/// `\d \w \s` and their negations (ASCII), `\t \n \r` and `\` before punctuation, groups `(…)` and `(?:…)`, `|`, and
/// `* + ? {m} {m,} {m,n}`. A set of states is followed and never backtracked (Thompson, 1968), so that matching takes
/// time linear in the text whatever the pattern.
public struct TextPattern: Sendable {
    /// The pattern as written.
    public let text: String
    private let program: TextPatternProgram?

    /// Compiles a pattern that the generator has checked.
    ///
    /// A text that is no pattern of the subset, or one whose repeats expand past 10,000 states, matches nothing, so
    /// that a write is refused rather than let through unchecked.
    public init(_ text: String) {
        self.text = text
        var parser = TextPatternParser(text)
        program = parser.parse().flatMap(TextPatternProgram.init)
    }

    /// Whether the text is a pattern of the subset.
    public var isValid: Bool { program != nil }

    /// Whether the whole of `value` matches.
    public func matches(_ value: String) -> Bool {
        program?.matches(value.unicodeScalars) ?? false
    }
}

/// A pattern taken apart.
indirect enum TextPatternNode {
    case empty
    case scalars(ScalarSet)
    case sequence([TextPatternNode])
    case choice([TextPatternNode])
    /// At least `minimum` times, and at most `maximum` or without end.
    case repeated(TextPatternNode, minimum: Int, maximum: Int?)
}

/// A set of Unicode scalars as ranges, with a bit for each ASCII one.
struct ScalarSet: Sendable {
    private var ranges: [ClosedRange<UInt32>]
    private var ascii: (low: UInt64, high: UInt64) = (0, 0)
    private let isNegated: Bool

    init(_ ranges: [ClosedRange<UInt32>], negated: Bool = false) {
        self.ranges = ranges
        isNegated = negated
        for code in UInt32(0)..<128 where ranges.contains(where: { $0.contains(code) }) != negated {
            if code < 64 { ascii.low |= 1 << code } else { ascii.high |= 1 << (code - 64) }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let code = scalar.value
        if code < 64 { return ascii.low >> code & 1 == 1 }
        if code < 128 { return ascii.high >> (code - 64) & 1 == 1 }
        return ranges.contains { $0.contains(code) } != isNegated
    }
}
