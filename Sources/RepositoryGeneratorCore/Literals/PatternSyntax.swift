/// The patterns of the key `pattern`: the subset of regular expressions that can be matched in time
/// linear in the text.
///
/// ```
/// pattern     = alternative ("|" alternative)*
/// alternative = (atom quantifier?)*
/// quantifier  = "*" | "+" | "?" | "{" m "}" | "{" m ",}" | "{" m "," n "}"
/// atom        = literal | "." | class | escape | "(" pattern ")" | "(?:" pattern ")"
/// class       = "[" "^"? (character | range "a-z" | escape)+ "]"
/// escape      = "\d" | "\w" | "\s" | "\D" | "\W" | "\S" | "\n" | "\r" | "\t" | "\" punctuation
/// ```
///
/// - The whole text must match, so `^` and `$` are not needed and are refused; `\^` and `\$` stand for
///   themselves. A pattern matches Unicode scalars, and case counts.
/// - A literal is any scalar but `\ ^ $ . | ? * + ( ) [ ] { }`. `.` is any scalar but U+000A.
/// - `\d` is `[0-9]`, `\w` is `[A-Za-z0-9_]`, `\s` is `[ \t\n\r\f\v]`; the capitals are all others.
/// - In a class, `-` stands for itself at the beginning and at the end, `[` and `]` need a `\`; a range
///   goes from a lower scalar to a higher one. `\d`, `\w`, `\s` and their capitals may stand
///   there too.
/// - A bound is at most 1,000, with `m` not above `n`; a quantifier does not follow another one; and
///   with all bounds written out a pattern takes at most 10,000 states. Brackets stand at most 32
///   deep.
/// - Back references, look-around, anchors, named and other `(?` groups, lazy and possessive
///   quantifiers, and all other escapes are refused.
///
/// A pattern in this form is compiled to states of Thompson's construction (K. Thompson, 'Regular
/// Expression Search Algorithm', 1968), all of which are followed at once.
public enum PatternSyntax {
    /// What is wrong with a pattern.
    public struct Problem: Sendable, Hashable {
        /// One sentence without a final stop.
        public var message: String
        /// Where it is wrong, in Unicode scalars from the beginning of the pattern.
        public var range: Range<Int>
        /// How to mend it, where that is known.
        public var help: String?
    }

    /// The largest bound of a quantifier.
    public static let largestBound = 1_000
    /// The most states of a pattern with all bounds written out: one for each atom, two for each `|`
    /// and each unbounded repetition, one for each optional copy.
    public static let mostStates = 10_000
    /// How deep brackets may stand in one another.
    public static let deepest = 32

    /// What is wrong with a pattern; nil when it is one of the subset.
    public static func check(_ pattern: String) -> Problem? {
        var parser = PatternParser(pattern)
        do {
            try parser.parse()
            return nil
        } catch {
            return error.problem
        }
    }
}
