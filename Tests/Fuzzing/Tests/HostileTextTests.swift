import Foundation
import FuzzTargets
import Testing

/// Texts that would end a literal or a comment, or hide that they do, in every place of a schema
/// that takes a text.
@Suite("Hostile texts")
struct HostileTextTests {
    /// What ends, opens or escapes something somewhere.
    private static let delimiters = [
        "\"", "\"#", "\"##", "#\"", "\"\"\"", "\"\"\"#", "\\", "\\#", "\\(", "\\#(", "\\\"", "`",
        "*/",
        "/*", "-->", "{{name}}", "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}",
        "\u{2029}",
        "\u{1B}[2J", "\u{7F}",
    ]
    /// What joins with its neighbours to one `Character`, or cannot be seen.
    private static let joiners = [
        "", "\u{301}", "\u{D4E}", "\u{FE0F}", "\u{200D}", "\u{600}", "\u{1F3FB}", "\u{202E}",
        "\u{FEFF}",
    ]

    static let texts = delimiters.flatMap { delimiter in
        joiners.map { joiner in
            "\(joiner)\(delimiter)\(joiner); let injected = 1 //\(joiner)\(delimiter)"
        }
    }

    @Test("stay texts wherever they are written")
    func stayTexts() {
        #expect(Self.texts.count > 200)
        // Each text in every sixth place, and each place with every sixth text; with `REPOSITORY_LONG=1` all in all.
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        for (number, text) in Self.texts.enumerated() {
            let flaw = HostileText.flaw(text, in: isLong ? nil : (number: number, of: 6))
            #expect(flaw == nil, "\(text.debugDescription): \(flaw ?? "")")
        }
    }

    @Test("are accepted in nearly every place, so that they are tried")
    func areTried() throws {
        let text = "a\"#\u{301}; let injected = 1 //"
        let refused = try HostileText.places.filter {
            try HostileText.files(of: $0.schema, with: text) == nil
        }
        #expect(
            Set(refused.map(\.name)).isSubset(of: [
                "default of a URL", "earlier name", "earlier table", "doc of a case",
            ]))
    }

    @Test("declare nothing as the compiler reads them", .enabled(if: Compiler.path != nil))
    func compiler() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        // Each text in a few places: all in all would be half a million lines.
        for (index, place) in HostileText.places.enumerated() {
            var whole = ""
            for text in Self.texts.dropFirst(index % 8).enumerated().filter({ $0.0 % 8 == 0 }).map(
                \.1)
            {
                whole += try HostileText.files(of: place.schema, with: text)?.joined() ?? ""
            }
            let file = folder.appending(path: "\(paths.count).swift")
            try Data(whole.utf8).write(to: file)
            paths.append(file.path)
        }
        let names = try Compiler.declared(in: paths)
        #expect(names.contains("Subject"))
        #expect(!names.contains("injected"))
    }

    @Test("names that join with what is behind them are the tokens that they are")
    func names() throws {
        // Long enough that lines are broken at brackets and colons, which join with U+0D4E before
        // them.
        func tokens(_ end: String) throws -> [String] {
            let name = "name" + String(repeating: "x", count: 50) + end
            let schema = """
                entity: Subject\(end)
                fields:
                  \(name): { type: "[Subject\(end)Other?]?", doc: TEXT }
                  other\(end): { type: String, default: TEXT, unique: true }
                ---
                value: Subject\(end)Other
                fields: { \(name): Int }
                """
            let files = try #require(try HostileText.files(of: schema, with: "a\(end)"))
            return try files.flatMap { try SwiftSkeleton($0).tokens }
        }
        let hostile = try tokens("\u{D4E}").map { token in
            String(
                String.UnicodeScalarView(
                    token.unicodeScalars.map { $0 == "\u{D4E}" ? "q" : $0 }))
        }
        let plain = try tokens("q")
        let place = zip(hostile, plain).prefix { $0 == $1 }.count
        #expect(
            hostile == plain,
            "\(hostile[max(0, place - 9)...].prefix(18)) \(plain[max(0, place - 9)...].prefix(18))")
    }

    @Test("are found where a generator lets them out")
    func oracle() throws {
        let harmless = try SwiftSkeleton("struct A { let a = \"x\" } // x\n")
        #expect(try SwiftSkeleton("struct A { let a = #\"\\\"\"# } // \"\n") == harmless)
        for hostile in [
            "struct A { let a = #\"\"#\u{301}; let b = 1 //\"# }\n}\n",
            "struct A { let a = \"\\(b)\" }\n",
            "struct A { let a = \"x\" } // x\rlet b = 1\n",
            "struct A { let a = \"\"\"\nx\n\"\"\" }\n",
            "struct A { let a = \"x\n\" }\n", "struct A { /* x */ }\n",
        ] {
            #expect(throws: SwiftSkeleton.Flaw.self, "\(hostile)") { try SwiftSkeleton(hostile) }
        }
        #expect(try SwiftSkeleton("struct A { let a = \"x\" }; let b = 1\n") != harmless)
        #expect(
            try SwiftSkeleton("struct A { var c: Int }\nlet b = A.self\n").topLevelNames == [
                "A", "b",
            ])
    }
}

/// The compiler of the tool chain.
private enum Compiler {
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/swiftc" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// The names that files declare as the compiler parses them, without checking their types.
    static func declared(in paths: [String]) throws -> Set<String> {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = ["-frontend", "-dump-parse"] + paths
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Errors are few: the pipe holds them.
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problems = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(problems.prefix(2_000))")
        var names: Set<String> = []
        for line in text.split(separator: "\n") {
            // `(struct_decl range=[…] "Book" …`, `(pattern_named "title")`
            let words = line.drop { $0 == " " }.split(separator: "\"", maxSplits: 2)
            guard words.count > 1, words[0].contains("_decl") || words[0].contains("pattern_named")
            else { continue }
            names.insert(String(words[1].prefix { $0 != "(" }))
        }
        return names
    }
}
