import RepositoryRuntime
import Testing

@Suite("Patterns")
struct TextPatternTests {
    @Test(
        "The whole text matches or does not",
        arguments: [
            ("abc", ["abc"], ["ab", "abcd", "", "xabc"]),
            ("", [""], ["a"]),
            ("a*", ["", "a", "aaaa"], ["b", "ab"]),
            ("a+b?", ["a", "ab", "aab"], ["", "b", "abb"]),
            ("a|bc|", ["a", "bc", ""], ["b", "abc"]),
            ("(ab|c){2}", ["abc", "cc", "abab"], ["ab", "ccc", ""]),
            ("(?:ab)+", ["ab", "abab"], ["aba"]),
            ("a{2,}", ["aa", "aaa"], ["a", ""]),
            ("a{0,2}", ["", "a", "aa"], ["aaa"]),
            ("a{0}", [""], ["a"]),
            ("[a-cx_]+", ["abcx_"], ["d", "", "-"]),
            ("[^@ ]+@[^@ ]+", ["a@b", "é@ü.de"], ["a@", "@b", "a@b@c", "a b@c"]),
            ("[-a]", ["-", "a"], ["b"]),
            ("[a-]", ["-", "a"], ["b"]),
            ("[\\d.]+", ["1.2"], ["a"]),
            ("[^\\d]", ["a", "é"], ["1"]),
            ("[\\D]", ["a", "é"], ["1"]),
            ("[\\]\\\\]", ["]", "\\"], ["["]),
            ("\\d{4}-\\d\\d", ["2024-01"], ["2024-1", "２０２４-01"]),
            ("\\w+\\s\\W", ["a_1 -"], ["é -", "a-b"]),
            ("\\S\\D", ["ab"], ["a1", " b"]),
            ("\\t\\n\\r", ["\t\n\r"], ["tnr"]),
            (".", ["a", "é", "😀", "\r"], ["\n", "", "ab", "e\u{301}"]),
            ("a\\.b\\*", ["a.b*"], ["axb*"]),
            ("(a*)*", ["", "aaa"], ["b"]),
            ("(a|b|)*c", ["c", "abac"], ["", "abd"]),
            ("[a-z]{1,3}(\\.[a-z]{2,3})*", ["ab.cd.efg", "a"], ["ab.c", "abcd"]),
        ])
    func matching(_ pattern: String, _ matching: [String], _ others: [String]) {
        let compiled = TextPattern(pattern)
        #expect(compiled.isValid)
        for text in matching { #expect(compiled.matches(text), "\(text)") }
        for text in others { #expect(!compiled.matches(text), "\(text)") }
    }

    @Test(
        "What is no pattern of the subset matches nothing",
        arguments: [
            "(", ")", "a)", "(a", "[", "[]", "[^]", "[a", "a]", "*", "a**", "a*?", "a++", "{1}",
            "a{", "a{,2}", "a{2,1}", "a{1001}", "a{x}", "\\", "\\b", "\\1", "\\p", "^a", "a$",
            "(?=a)", "(?<n>a)", "[z-a]", "[\\d-z]x{2000}", "[[:alpha:]]",
            String(repeating: "(", count: 200) + String(repeating: ")", count: 200),
            "((a{1000}){1000}){1000}",
        ])
    func invalid(_ pattern: String) {
        let compiled = TextPattern(pattern)
        #expect(!compiled.isValid)
        #expect(!compiled.matches(""))
        #expect(!compiled.matches(pattern))
    }

    @Test("Time is linear where a backtracking matcher takes exponential time")
    func hostile() {
        let pattern = TextPattern("(a|a)*(a*)*(aa|a)*b")
        #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
        #expect(pattern.matches(String(repeating: "a", count: 20_000) + "b"))
    }
}
