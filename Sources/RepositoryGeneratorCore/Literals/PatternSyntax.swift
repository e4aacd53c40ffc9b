/// The syntax of the key `pattern`: a subset of regular expressions that can be matched in time
/// linear in the length of the text.
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
/// - The whole text must match. `^` and `$` are therefore unnecessary, and rejected; `\^` and `\$`
///   match the characters. A pattern matches Unicode scalars and is case-sensitive.
/// - A literal is any scalar except `\ ^ $ . | ? * + ( ) [ ] { }`. `.` matches any scalar except
///   U+000A.
/// - `\d` is `[0-9]`, `\w` is `[A-Za-z0-9_]`, `\s` is `[ \t\n\r\f\v]`. The upper-case escapes match
///   all other scalars.
/// - In a class, `-` is a literal at the start and at the end, and `[` and `]` must be escaped. A
///   range goes from a lower scalar to a higher one. `\d`, `\w`, `\s` and their upper-case forms
///   are allowed.
/// - A bound is at most 1,000, and `m` is not greater than `n`. A quantifier cannot follow another
///   one. With all bounds expanded, a pattern has at most 10,000 states. Groups are nested at most
///   32 deep.
/// - Back references, look-around, anchors, named groups and other `(?` groups, lazy and possessive
///   quantifiers, and all other escapes are rejected.
///
/// At run time, a pattern is compiled to the states of Thompson's construction (K. Thompson,
/// 'Regular Expression Search Algorithm', 1968), and all active states are followed at the same
/// time.
public enum PatternSyntax {
    /// A problem with a pattern.
    public struct Problem: Sendable, Hashable {
        /// One sentence without a final full stop.
        public var message: String
        /// The range in the pattern, in Unicode scalars.
        public var range: Range<Int>
        /// A suggestion for a fix, if there is one.
        public var help: String?
    }

    /// The largest bound of a quantifier.
    public static let largestBound = 1_000
    /// The maximum number of states of a pattern with all bounds expanded: one per atom, two per
    /// `|` and per unbounded repetition, and one per optional copy.
    public static let mostStates = 10_000
    /// The maximum nesting depth of groups.
    public static let deepest = 32

    /// Returns the first problem of a pattern, or nil if it conforms to the syntax.
    ///
    /// The check does not compile the pattern. The cost is linear in the length of the pattern.
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
