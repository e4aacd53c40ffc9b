import RepositoryGeneratorCore
import RepositoryRuntime
import Testing

@Suite("Patterns")
struct PatternSyntaxTests {
    @Test(
        "of the subset are accepted, by the runtime too",
        arguments: [
            "", "a", "abc|def", "|a", "(a|b)*c", "(?:ab)+", "[a-z]+@[^@ ]+", "[-a]", "[a-]",
            "[\\]\\[]",
            "\\d{4}-\\d{2}", "a{3}", "a{3,}", "a{0,5}", "\\.\\*\\\\", ".", "[\\d\\-x]", "()",
            "a?b*c+",
            "\\n\\t\\r", "é+", "[à-ü]", "(((a)))", "[^\\s]", "\\-\\_\\~", "(a{100}){90}", "a{1000}",
        ])
    func accepted(pattern: String) {
        #expect(PatternSyntax.check(pattern) == nil)
        #expect(TextPattern(pattern).isValid, "the runtime does not take \(pattern)")
    }

    @Test(
        "outside the subset are refused at their place",
        arguments: [
            ("a)", 1), ("(a", 0), ("((a)", 0), ("[a", 0), ("a]", 1), ("a}", 1), ("*a", 0),
            ("a|*", 2),
            ("a**", 1), ("a+?", 1), ("a{2}{3}", 1), ("^a", 0), ("a$", 1), ("(?=a)", 0),
            ("(?<n>a)", 0),
            ("(a)\\1", 3), ("\\b", 0), ("a\\", 1), ("[z-a]", 1), ("[a-\\d]", 1), ("[\\w-z]", 1),
            ("[]", 0),
            ("[^]", 0), ("[[:alpha:]]", 1), ("a{", 1), ("a{x}", 1), ("a{1,2", 1), ("a{3,2}", 1),
            ("a{1001}", 1), ("\\p{L}", 0), ("\\é", 0), ("(((a{100}){100}){100}){100}", 1),
        ])
    func refused(pattern: String, place: Int) {
        #expect(PatternSyntax.check(pattern)?.range.lowerBound == place)
    }

    @Test("at random: what is accepted here the runtime takes, with no crash")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let alphabet = Array("ab09-^$.|?*+()[]{},\\dwsé:=n")
        var accepted = 0
        for _ in 0..<20_000 {
            let pattern = String((0..<next(12)).map { _ in alphabet[next(alphabet.count)] })
            guard PatternSyntax.check(pattern) == nil else { continue }
            accepted += 1
            #expect(TextPattern(pattern).isValid, "seed \(seed): \(pattern)")
        }
        #expect(accepted > 100)
    }

    @Test("brackets deeper than the bound are refused, with no deep recursion")
    func deep() {
        let pattern = String(repeating: "(", count: 100_000)
        #expect(PatternSyntax.check(pattern)?.range.lowerBound == PatternSyntax.deepest)
    }
}
