import Foundation
import Testing

/// The Swift code on the pages of the documentation is code that compiles.
@Suite("The code in the documentation")
struct GuideCodeTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The blocks of README.md and of all articles.
    private static func blocks() throws -> [GuideBlock] {
        let sources = package.appending(path: "Sources")
        let articles = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .map { "Sources/\($0)/Documentation.docc" }
            .filter { FileManager.default.fileExists(atPath: package.appending(path: $0).path) }
            .flatMap { catalog in
                try FileManager.default
                    .contentsOfDirectory(atPath: package.appending(path: catalog).path)
                    .filter { $0.hasSuffix(".md") }.map { "\(catalog)/\($0)" }
            }
        return try (["README.md"] + articles.sorted()).flatMap { page in
            GuideBlock.all(
                in: try String(contentsOf: package.appending(path: page), encoding: .utf8),
                page: page)
        }
    }

    @Test("is compiled, a part of a source, or marked with a reason")
    func marks() throws {
        for block in try Self.blocks() {
            let place = "\(block.page):\(block.line)"
            switch block.treatment {
            case .unknown(let comment):
                Issue.record("\(place): the comment '\(comment)' says nothing about the block")
            case .part(let path):
                let source = try String(
                    contentsOf: Self.package.appending(path: path), encoding: .utf8)
                let isPart = source.withoutSpace.contains(block.code.withoutSpace)
                #expect(isPart, "\(place): the block is not a part of \(path)")
            default: break
            }
        }
    }

    // Elsewhere the tests are in a bundle, and the modules of the build are not beside them.
    #if os(Linux) && PostgreSQL && Encryption && Compression && Observability
        @Test(
            "compiles",
            .enabled(if: GuideCompiler.compiler != nil, "needs swiftc in PATH"))
        func compiles() throws {
            let compiler = GuideCompiler(
                compiler: try #require(GuideCompiler.compiler), package: Self.package)
            let blocks = try Self.blocks()
            do {
                try compiler.compile(blocks)
            } catch let failure as GuideCompiler.Failure {
                Issue.record("\(failure)")
            }
            let compiled = blocks.filter(\.isCompiled)
            let parts = blocks.filter(\.isCompared)
            let others = blocks.count - compiled.count - parts.count
            print(
                """
                Documentation: \(compiled.count) blocks of Swift on \(Set(compiled.map(\.page)).count) pages compile; \
                \(parts.count) are parts of tested sources; \(others) are marked as not compiled.
                """)
            #expect(compiled.count > 50)
        }

        @Test(
            "is reported at its place if it is wrong",
            .enabled(if: GuideCompiler.compiler != nil, "needs swiftc in PATH"))
        func wrongCode() throws {
            let compiler = GuideCompiler(
                compiler: try #require(GuideCompiler.compiler), package: Self.package)
            let page = """
                Two blocks, of which the second names a field that does not exist.

                ```swift
                let books = try await library.books.fetch()
                ```

                ```swift
                let author = Author(name: "A")
                let book = Book(isbn: "9780061054884", title: "T", pages: author.sheets, authorID: author.id)
                ```

                <!-- compiled: dependencies -->
                ```swift
                .package(url: 3),
                ```
                """
            let blocks = GuideBlock.all(in: page, page: "Page.md")
            #expect(blocks.count == 3)
            try compiler.compile(Array(blocks.prefix(1)))
            let second = #expect(throws: GuideCompiler.Failure.self) {
                try compiler.compile(Array(blocks.prefix(2)))
            }
            #expect(second?.description.contains("Page.md:9:") == true, "\(second as Any)")
            #expect(second?.description.contains("sheets") == true, "\(second as Any)")
            let third = #expect(throws: GuideCompiler.Failure.self) {
                try compiler.compile(Array(blocks.suffix(1)))
            }
            #expect(third?.description.contains("Page.md:14:") == true, "\(third as Any)")
        }
    #endif

    @Test("is treated as the comment before it says")
    func treatments() {
        func treatment(_ comment: String) -> GuideBlock.Treatment? {
            GuideBlock.all(in: "\(comment)\n```swift\nlet one = 1\n```\n", page: "Page.md")
                .first?.treatment
        }
        #expect(treatment("") == .statements)
        #expect(treatment("<!-- run -->") == .declarations)
        #expect(treatment("<!-- compiled: alternatives -->") == .alternatives)
        #expect(treatment("<!-- from: Tests/A.swift -->") == .part(of: "Tests/A.swift"))
        #expect(
            treatment("<!-- not compiled: Apple platforms only -->")
                == .notCompiled(reason: "Apple platforms only"))
        // Without a reason.
        #expect(treatment("<!-- not compiled -->") == .unknown(comment: "not compiled"))
        #expect(treatment("<!-- compield: alternatives -->")?.isUnknown == true)
        let nested = "1. A list:\n\n   ```swift\n   if true {\n       f()\n   }\n   ```\n"
        let block = GuideBlock.all(in: nested, page: "Page.md").first
        #expect(block?.code == "if true {\n    f()\n}")
        #expect(block?.line == 4)
        let table = """
            <!-- compiled: last column -->
            | theirs | ours |
            |---|---|
            | `a` | `f()` and<br>`g(1 \\|\\| 2)` |
            | `b` | no |

            | another | `table` |
            """
        let rows = GuideBlock.all(in: table, page: "Page.md")
        #expect(rows.map(\.code) == ["f()\ng(1 || 2)"])
        #expect(rows.map(\.line) == [4])
        #expect(GuideBlock.all(in: "```sh\nls\n```\n", page: "Page.md").isEmpty)
    }
}

extension GuideBlock {
    /// Whether it is compared with a source that is compiled.
    fileprivate var isCompared: Bool {
        switch treatment {
        case .part, .compared: true
        default: false
        }
    }
}

extension GuideBlock.Treatment {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension String {
    /// The text without white space, because lines are broken by their indentation.
    fileprivate var withoutSpace: String { filter { !$0.isWhitespace } }
}
