import Testing

@testable import RepositoryRuntime

@Suite("The language of searches")
struct SearchQueryTests {
    /// The terms, words joined by spaces, prefixes with an asterisk.
    private static func terms(_ text: String) -> [String] {
        SearchQuery(text).terms.map { term in
            term.parts.map { $0.word + ($0.isPrefix ? "*" : "") }.joined(separator: " ")
        }
    }

    @Test(
        "has words, prefixes and phrases",
        arguments: [
            ("one two", ["one", "two"]),
            ("one, one ONE", ["one"]),
            ("one* one", ["one*", "one"]),
            ("one *two three**four", ["one", "two", "three*", "four"]),
            ("\"one two\" three", ["one two", "three"]),
            ("\"one two* three\"", ["one two* three"]),
            ("one\"two three\"four", ["one", "two three", "four"]),
            ("\u{201C}one two\u{201D} three", ["one two", "three"]),
            ("\"one, (two)", ["one two"]),
            ("\"\" \"", []),
            ("\u{6771}\u{4EAC} \u{6771}", ["\u{6771} \u{4EAC}", "\u{6771}"]),
            ("\u{6771}\u{4EAC}tower*", ["\u{6771} \u{4EAC}", "tower*"]),
            ("a\u{6771}b", ["a", "\u{6771}", "b"]),
            ("\"a\u{6771} b\"", ["a \u{6771} b"]),
            ("don't O'Neill", ["don", "t", "o", "neill"]),
            ("x1_y2-z", ["x1", "y2", "z"]),
            ("caf\u{E9}* CAFE\u{301}", ["cafe*", "cafe"]),
            ("\u{E01}\u{E34}", ["\u{E01} \u{E34}"]),
            ("\u{304C}", ["\u{304B} \u{3099}"]),
            ("\u{130}\u{131}\u{1E9E}", ["i\u{131}\u{DF}"]),
            ("=\u{338}*", []),
        ])
    func terms(_ text: String, _ expected: [String]) {
        #expect(Self.terms(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test("is described without its words")
    func description() {
        let query = SearchQuery("secret word*")
        #expect("\(query)" == "search of 2 terms, all")
        #expect(!"\([query])".contains("secret"))
    }
}
