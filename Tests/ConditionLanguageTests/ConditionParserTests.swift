import ConditionLanguage
import Testing

@Suite("The parser of conditions")
struct ConditionParserTests {
    /// A condition with all brackets that its structure needs, and no others.
    private static func text(_ syntax: ConditionSyntax) -> String {
        switch syntax {
        case .all(let parts): "(" + parts.map(text).joined(separator: " && ") + ")"
        case .any(let parts): "(" + parts.map(text).joined(separator: " || ") + ")"
        case .not(let part): "!" + text(part)
        case .comparison(let left, let comparison, let right):
            "\(text(left)) \(comparison.rawValue) \(text(right))"
        case .membership(let operand, .elements(let elements, _)):
            "\(text(operand)) in [\(elements.map(text).joined(separator: ", "))]"
        case .membership(let operand, .parameter(let name, _)): "\(text(operand)) in $\(name)"
        case .function(let function, _, let arguments):
            "\(function.rawValue)(\(arguments.map(text).joined(separator: ", ")))"
        case .isNull(let operand): "\(text(operand)) isNull"
        case .related(let quantifier, let relation, let condition):
            "\(quantifier.rawValue)(\(text(relation)), \(text(condition)))"
        case .count(let relation, let comparison, let operand):
            "count(\(text(relation))) \(comparison.rawValue) \(text(operand))"
        case .operand(let operand): text(operand)
        }
    }

    private static func text(_ operand: ConditionOperand) -> String {
        switch operand.kind {
        case .path(let path): path.map(\.name).joined(separator: ".")
        case .parameter(let name): "$\(name)"
        case .number(let text): text
        case .text(let text): "\"\(text)\""
        case .flag(let flag): "\(flag)"
        }
    }

    @Test(
        "gives each operator its place",
        arguments: [
            ("a==1", "a == 1"), ("a == 1 || b == 2 && c == 3", "(a == 1 || (b == 2 && c == 3))"),
            ("a == 1 && b == 2 && c == 3", "(a == 1 && b == 2 && c == 3)"),
            ("(a == 1 || b == 2) && c == 3", "((a == 1 || b == 2) && c == 3)"),
            ("((a == 1))", "a == 1"), ("!a", "!a"), ("!a && b", "(!a && b)"),
            ("!(a && b)", "!(a && b)"), ("!!a", "!!a"), ("! a isNull", "!a isNull"),
            ("a.b.c isNull", "a.b.c isNull"), ("$d<=e", "$d <= e"), ("a>-1.5e+3", "a > -1.5e+3"),
            ("a in [1,-2 , b]", "a in [1, -2, b]"), ("a in $b", "a in $b"),
            ("contains(a, 'b')", "contains(a, \"b\")"), ("hasPrefix(a.b,$c)", "hasPrefix(a.b, $c)"),
            ("a < 2024-02-29T12:30:00.5Z", "a < 2024-02-29T12:30:00.5Z"),
            ("a == 'it\\'s' || b == \"\\u{e9}\\n\"", "(a == \"it's\" || b == \"é\n\")"),
            ("\n a\t==\n1 ", "a == 1"), ("contains == 1", "contains == 1"), ("in == 1", "in == 1"),
            ("any(a,b==1||c)", "any(a, (b == 1 || c))"),
            ("!all(a.b, none(c, d))", "!all(a.b, none(c, d))"),
            ("count(a)>$n&&b", "(count(a) > $n && b)"), ("3 <= count(a.b)", "count(a.b) >= 3"),
            ("any == 1 && count == 2", "(any == 1 && count == 2)"),
            ("été == 1", "été == 1"), ("a == true && false != b", "(a == true && false != b)"),
        ])
    func structure(condition: String, expected: String) throws {
        #expect(Self.text(try ConditionParser.parse(condition)) == expected)
    }

    @Test(
        "shows a mistake at its place",
        arguments: [
            ("", 0..<0), ("a ==", 4..<4), ("a == ) ", 5..<6), ("(a == 1", 0..<1), ("a = 1", 2..<3),
            ("a == 1)", 6..<7), ("a < b < c", 6..<7), ("!a == 1", 0..<1), ("a == \"b", 5..<6),
            ("a == \"\\x\"", 6..<8), ("a == \"\\u{0}\"", 6..<11),
            ("a == 'é' || 'ü' == ü x", 21..<22),
            ("a in 1", 5..<6), ("a in []", 5..<7), ("a in [1", 5..<6), ("foo(a, b)", 0..<3),
            ("contains(a)", 0..<8), ("a == 1 b == 2", 7..<8), ("a == $", 5..<6), ("a & b", 2..<3),
            ("a == 1 &&", 9..<9), ("a. == 1", 3..<5), ("@", 0..<1), ("a isNull isNull", 9..<15),
            ("a == \u{1F600}", 5..<6),
        ])
    func mistakes(condition: String, place: Range<Int>) {
        #expect {
            _ = try ConditionParser.parse(condition)
        } throws: { error in
            (error as? ConditionProblem)?.range == place
        }
    }

    @Test("is bounded in length and depth")
    func bounds() throws {
        let deepest = ConditionLimits.depth - 1
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        }
        #expect(Self.text(try ConditionParser.parse(nested(deepest))) == "a == 1")
        #expect(throws: ConditionProblem.self) { try ConditionParser.parse(nested(deepest + 1)) }
        #expect(throws: ConditionProblem.self) {
            try ConditionParser.parse(String(repeating: "!", count: 4_000) + "a")
        }
        let longest = "a == 1" + String(repeating: " ", count: ConditionLimits.length - 6)
        #expect(Self.text(try ConditionParser.parse(longest)) == "a == 1")
        #expect(throws: ConditionProblem.self) { try ConditionParser.parse(longest + " ") }
    }

    @Test("takes any text without crashing, and points into it")
    func anyText() {
        let words = [
            "a", "$b", "1", "'x'", "\"", "(", ")", "[", "]", "!", "&&", "||", "==", "<", "in", ",",
            "isNull", ".", "contains", "true", "-", "\\", "é", " ",
        ]
        var state: UInt64 = 7
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<8 {
                // A linear congruential generator (Knuth, MMIX).
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += words[Int(state >> 33) % words.count]
            }
            do throws(ConditionProblem) {
                _ = try ConditionParser.parse(text)
            } catch {
                let isInside = error.range.upperBound <= text.unicodeScalars.count
                #expect(isInside, "\(text): \(error.range)")
            }
        }
    }
}
