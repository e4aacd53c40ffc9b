import Foundation
import Generated
import RepositoryObservation
import RepositoryRuntime
import Testing

/// The code of the page of the module.
private enum Guide {
    @MainActor
    static func titles(_ library: Library) -> [String] {
        let available = LiveQuery(library.books.observe(where: { $0.status == .available }))
        return available.rows.map(\.title)
    }
}

@MainActor @Suite("The page of RepositoryObservation")
struct LiveQueryGuideTests {
    @Test func showsTheCodeThatIsTested() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: package.appending(
                path:
                    "Sources/RepositoryObservation/Documentation.docc/RepositoryObservation.md"),
            encoding: .utf8)
        let tested = try String(contentsOfFile: #filePath, encoding: .utf8)
            .replacing("static func", with: "func").filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "<!-- run -->\n```swift\n").dropFirst()
        #expect(blocks.count == 1)
        for block in blocks {
            let code = block.components(separatedBy: "\n```")[0].filter { !$0.isWhitespace }
            #expect(tested.contains(code), "\(block)")
        }
    }

    @Test func works() async throws {
        let library = Library(InMemoryStore())
        let author = try await library.authors.create(Author(name: "Ursula"))
        try await library.books.create(
            Book(isbn: "9780061054884", title: "The Dispossessed", pages: 387, authorID: author.id))
        #expect(Guide.titles(library) == ["The Dispossessed"])
    }
}
