/// A compiled `pattern` of the schema language. It matches whole strings.
///
/// The supported subset, over Unicode scalars: literals, `.` (anything but a line feed), classes
/// `[a-z_]` and `[^…]`, `\d \w \s` and their negations (ASCII), `\t \n \r` and `\` before
/// punctuation, groups `(…)` and `(?:…)`, `|`, and `* + ? {m} {m,} {m,n}`.
///
/// Matching simulates a nondeterministic automaton with a set of states (Thompson, 1968) and never
/// backtracks. The time is linear in the length of the string for every pattern.
public struct TextPattern: Sendable {
    /// The source of the pattern.
    public let text: String
    /// The automaton; nil if the pattern is invalid.
    private let program: TextPatternProgram?

    /// Compiles a pattern, which the generator has validated.
    ///
    /// An invalid pattern, or one whose repetitions expand to more than 10,000 states, matches no
    /// string. A write is then rejected instead of passing unchecked.
    public init(_ text: String) {
        self.text = text
        var parser = TextPatternParser(text)
        program = parser.parse().flatMap(TextPatternProgram.init)
    }

    /// Whether the pattern belongs to the supported subset.
    public var isValid: Bool { program != nil }

    /// The syntax tree of the pattern; nil if it is invalid.
    package var syntax: TextPatternNode? {
        var parser = TextPatternParser(text)
        return parser.parse()
    }

    /// Returns whether the pattern matches the whole string.
    public func matches(_ value: String) -> Bool {
        program?.matches(value.unicodeScalars) ?? false
    }
}

/// The syntax tree of a pattern.
package indirect enum TextPatternNode {
    /// Matches the empty string.
    case empty
    /// Matches one scalar of a set.
    case scalars(ScalarSet)
    /// Matches the nodes one after another.
    case sequence([TextPatternNode])
    /// Matches any of the nodes.
    case choice([TextPatternNode])
    /// At least `minimum` repetitions, and at most `maximum` if it is not nil.
    case repeated(TextPatternNode, minimum: Int, maximum: Int?)
}

/// A set of Unicode scalars, stored as ranges and a bit set for ASCII.
///
/// Most strings are ASCII, so membership of ASCII scalars is one bit test.
package struct ScalarSet: Sendable {
    /// The code points of the set, before negation.
    package private(set) var ranges: [ClosedRange<UInt32>]
    /// The members below 64 and from 64 to 127 as bit masks, after negation.
    private var ascii: (low: UInt64, high: UInt64) = (0, 0)
    /// Whether the set contains the scalars outside the ranges.
    private let isNegated: Bool

    /// Creates the set of the scalars in the ranges, or outside all ranges if negated.
    init(_ ranges: [ClosedRange<UInt32>], negated: Bool = false) {
        self.ranges = ranges
        isNegated = negated
        for code in UInt32(0)..<128 where ranges.contains(where: { $0.contains(code) }) != negated {
            if code < 64 { ascii.low |= 1 << code } else { ascii.high |= 1 << (code - 64) }
        }
    }

    /// Takes constant time for ASCII, and time linear in the number of ranges otherwise.
    package func contains(_ scalar: Unicode.Scalar) -> Bool {
        let code = scalar.value
        if code < 64 { return ascii.low >> code & 1 == 1 }
        if code < 128 { return ascii.high >> (code - 64) & 1 == 1 }
        return ranges.contains { $0.contains(code) } != isNegated
    }
}
