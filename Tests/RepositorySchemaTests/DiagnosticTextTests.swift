import Testing

@testable import RepositorySchema

@Suite("The text of diagnostics")
struct DiagnosticTextTests {
    private let text = DiagnosticText(sources: [
        "A.yaml": SourceText(
            bytes: Array("one: two\r\n\tthree: \u{7}four\r書名: é\u{301}x\nlast: \u{202E}end".utf8))
    ])

    @Test("line, caret, notes, help")
    func whole() {
        let diagnostic = Diagnostic(
            "this is wrong", at: range(1, 6, 9), help: "mend it",
            notes: [Diagnostic.Note("that is why", at: range(1, 1, 4))])
        #expect(
            text.render(diagnostic) == """
                A.yaml:1:6: error: this is wrong
                  one: two
                       ^~~
                A.yaml:1:1: note: that is why
                  one: two
                  ^~~
                help: mend it

                """)
    }

    @Test("tabs are one space, control and direction marks are shown as U+FFFD")
    func unprintable() {
        #expect(
            text.render(Diagnostic("wrong", at: range(2, 2, 7))) == """
                A.yaml:2:2: error: wrong
                   three: \u{FFFD}four
                   ^~~~~

                """)
        #expect(text.render(Diagnostic("wrong", at: range(4, 1, 5))).contains("last: \u{FFFD}end"))
    }

    @Test("wide characters move the caret by two columns, combining ones by none")
    func wide() {
        #expect(
            text.render(Diagnostic("wrong", at: range(3, 7, 8))) == """
                A.yaml:3:7: error: wrong
                  書名: é\u{301}x
                         ^

                """)
        #expect(text.render(Diagnostic("wrong", at: range(3, 1, 3))).hasSuffix("\n  ^~~~\n"))
    }

    @Test("a place past the end of a line or file, a file that is not there")
    func outside() {
        #expect(text.render(Diagnostic("wrong", at: range(1, 50, 60))).hasSuffix("\n          ^\n"))
        #expect(
            text.render(Diagnostic("wrong", at: range(9, 1, 2))) == "A.yaml:9:1: error: wrong\n")
        let elsewhere = SourceRange(path: "B.yaml", start: .start, end: .start)
        #expect(text.render(Diagnostic("wrong", at: elsewhere)) == "B.yaml:1:1: error: wrong\n")
    }

    @Test("a range over several lines is marked to the end of its first one")
    func severalLines() {
        var range = range(1, 1, 1)
        range.end = SourcePosition(line: 3, column: 2)
        #expect(text.render(Diagnostic("wrong", at: range)).hasSuffix("\n  ^~~~~~~~\n"))
    }

    @Test("of a long line the part around the place is shown")
    func longLine() {
        let bytes = Array(String(repeating: "abcdefghi ", count: 100_000).utf8)
        let text = DiagnosticText(sources: ["A.yaml": SourceText(bytes: bytes)])
        let rendered = text.render(Diagnostic("wrong", at: range(1, 500_001, 500_010)))
        let lines = rendered.split(separator: "\n")
        #expect(lines[1].hasPrefix("  …abcdefghi ") && lines[1].hasSuffix("…"))
        #expect(lines[2].count == 2 + 1 + 60 + 9)
        #expect(rendered.count < 400)
    }

    @Test("a message stays on its line, whatever it quotes")
    func message() {
        let elsewhere = SourceRange(path: "B.yaml", start: .start, end: .start)
        let diagnostic = Diagnostic("'a\nb\u{1B}[2J'", at: elsewhere, help: "c\r\nd")
        #expect(
            text.render(diagnostic)
                == "B.yaml:1:1: error: 'a b\u{FFFD}[2J'\nhelp: c\u{FFFD} d\n")
        let long = Diagnostic(String(repeating: "x", count: 10_000), at: elsewhere)
        #expect(text.render(long).count < 600)
    }

    @Test("diagnostics stand in the order of files and places")
    func order() {
        let b = SourceRange(path: "B.yaml", start: .start, end: .start)
        let sorted = DiagnosticText.sorted([
            Diagnostic("4", at: b), Diagnostic("3", at: range(2, 1, 1)),
            Diagnostic("1", at: range(1, 2, 2)), Diagnostic("2", at: range(1, 2, 2)),
        ])
        #expect(sorted.map(\.message) == ["1", "2", "3", "4"])
    }

    private func range(_ line: Int, _ start: Int, _ end: Int) -> SourceRange {
        SourceRange(
            path: "A.yaml", start: SourcePosition(line: line, column: start),
            end: SourcePosition(line: line, column: end))
    }

    @Test("a line is decoded once, however many mistakes it holds")
    func mistakesOfOneLine() {
        let line = String(repeating: "x: y, ", count: 4_000) + String(repeating: " ", count: 50_000)
        let sources = ["B.yaml": SourceText(bytes: Array("first\n\(line)\nlast".utf8))]
        let diagnostics = (0..<4_000).map { index in
            let place = SourcePosition(line: 2, column: index * 6 + 1)
            let end = SourcePosition(line: 2, column: index * 6 + 2)
            return Diagnostic(
                "wrong", at: SourceRange(path: "B.yaml", start: place, end: end),
                notes: [
                    Diagnostic.Note(
                        "first", at: SourceRange(path: "B.yaml", start: .start, end: .start))
                ])
        }
        let renderer = DiagnosticText(sources: sources)
        var lines = LineCache(sources)
        let texts = diagnostics.map { renderer.render($0, &lines) }
        #expect(lines.decodedCount == line.unicodeScalars.count + 5)
        #expect(texts.joined(separator: "\n") == renderer.render(diagnostics))
        #expect(texts.allSatisfy { $0.utf8.count < 1_000 })
    }

    @Test("a path with a line break stays on its line")
    func path() {
        let range = SourceRange(path: "A\n\u{1B}[2JB.yaml", start: .start, end: .start)
        #expect(
            text.render(Diagnostic("wrong", at: range)) == "A \u{FFFD}[2JB.yaml:1:1: error: wrong\n"
        )
    }
}
