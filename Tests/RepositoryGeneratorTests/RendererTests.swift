import Testing

@testable import RepositoryGeneratorCore

/// The parts of the renderer that stand alone.
@Suite("renderer")
struct RendererTests {
    @Test(
        "hashes as XXH64 does",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func hash(text: String, expected: UInt64) {
        var hasher = XXHash64()
        hasher.update(text)
        #expect(hasher.digest() == expected)
    }

    @Test("knows whose a file is")
    func ownership() {
        let header = FileHeader(source: "Schemas/A.yaml", body: "\nstruct A {}\n").line
        #expect(FileOwnership(of: header + "\nstruct A {}\n") == .generated)
        #expect(FileOwnership(of: header + "\nstruct B {}\n") == .edited)
        #expect(FileOwnership(of: "\n" + header + "\nstruct A {}\n") == .edited)
        #expect(FileOwnership(of: header) == .edited)
        #expect(FileOwnership(of: "\nstruct A {}\n") == .foreign)
        #expect(FileOwnership(of: "") == .foreign)
        let marks = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
        #expect(FileOwnership(of: header + marks) == .conflicted)
        #expect(FileOwnership(of: marks + "struct A {}\n") == .foreign)
        #expect(
            FileOwnership(of: header.replacing("A.yaml", with: "B.yaml") + "\nstruct A {}\n")
                == .edited)
    }

    @Test(
        "writes text as literals",
        arguments: [
            ("plain", "\"plain\""), ("a\"b", "#\"a\"b\"#"), ("\\d+", "#\"\\d+\"#"),
            ("a\nb", "\"a\\nb\""),
            ("\"", "\"\\\"\""),
            ("\"#", "\"\\\"#\""), ("\\#(x)", "\"\\\\#(x)\""), ("\u{202E}", "\"\\u{202E}\""),
            ("é", "\"é\""),
        ])
    func literal(text: String, expected: String) {
        #expect(SwiftLiteral.string(text) == expected)
    }

    @Test(
        "writes decimals exactly",
        arguments: [
            ("0.00", "0"), ("-7", "-7"),
            ("12.50", "Foundation.Decimal(sign: .plus, exponent: -1, significand: 125)"),
            ("-0.001", "Foundation.Decimal(sign: .minus, exponent: -3, significand: 1)"),
        ])
    func decimal(text: String, expected: String) {
        #expect(DecimalLiteral.swift(text) == expected)
    }

    @Test("breaks only lines that are too long, and never inside a string or a comment")
    func lines() {
        let short = "        call(a, b)\n"
        #expect(LineBreaker.broken(short) == short)
        let comment = "    /// " + String(repeating: "word ", count: 40) + "\n"
        #expect(LineBreaker.broken(comment) == comment)
        let text = String(repeating: "a, (b ", count: 20)
        let call = "    call(first, \"\(text)\", last)\n"
        #expect(
            LineBreaker.broken(short + call) == short
                + "    call(\n        first,\n        \"\(text)\",\n        last)\n")
    }

    @Test(
        "finds an article",
        arguments: [
            ("Author", "an author"), ("User", "a user"), ("PlaylistTrack", "a playlist track"),
        ])
    func article(name: String, expected: String) {
        #expect(Prose.withArticle(name) == expected)
    }
}
