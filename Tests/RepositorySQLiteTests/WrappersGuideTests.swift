import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

/// The code of the page 'Wrappers'.
private enum Guide {
    static func titles(_ path: String) async throws -> [String] {
        let library = Library(SQLiteStore(path: path).readOnly())
        return try await library.books.fetch().map(\.title)
    }

    static func patientLibrary(_ path: String) -> Library {
        Library(
            SQLiteStore(path: path).retrying(
                RetryPolicy(attempts: 8, firstDelay: .milliseconds(10))))
    }

    static func cachedLibrary(_ path: String) throws -> Library {
        Library(try SQLiteStore(path: path).caching(limit: 50_000))
    }

    /// A store that admits operations only during office hours.
    struct OfficeHoursStore: EntityStoreInterceptor {
        let store: any EntityStore
        let isOpen: @Sendable () -> Bool

        nonisolated(nonsending) func intercept<R>(
            _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
            _ body: nonisolated(nonsending) () async throws -> R
        ) async throws -> R {
            guard isOpen() else {
                throw CRUDRepositoryError(.unsupported, "'\(operation().kind)' has to wait.")
            }
            return try await body()
        }
    }
}

@Suite("Wrappers")
struct WrappersGuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheCodeThatIsTested() throws {
        let page = try String(
            contentsOf: package.appending(
                path: "Sources/RepositoryRuntime/Documentation.docc/Wrappers.md"),
            encoding: .utf8)
        let tested = try String(contentsOfFile: #filePath, encoding: .utf8)
            .replacing("static func", with: "func").filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "<!-- run -->\n```swift\n").dropFirst()
        #expect(blocks.count == 4)
        for block in blocks {
            let code = block.components(separatedBy: "\n```")[0].filter { !$0.isWhitespace }
            #expect(tested.contains(code), "\(block)")
        }
    }

    @Test func works() async throws {
        try await withFolder { folder in
            let library = Guide.patientLibrary(folder + "/library.sqlite")
            let author = try await library.authors.create(Author(name: "A"))
            try await library.books.create(
                Book(isbn: "0000000001", title: "T", pages: 1, authorID: author.id))
            #expect(try await Guide.titles(folder + "/library.sqlite") == ["T"])
            let cached = try Guide.cachedLibrary(folder + "/library.sqlite")
            for _ in 0..<2 { #expect(try await cached.books.fetch().map(\.title) == ["T"]) }
            try await expectError(.schemaMismatch) {
                _ = try await Guide.titles(folder + "/other.sqlite")
            }
            let office = Library(Guide.OfficeHoursStore(store: InMemoryStore()) { false })
            try await expectError(.unsupported) { _ = try await office.authors.count() }
            let open = Library(Guide.OfficeHoursStore(store: InMemoryStore()) { true })
            #expect(try await open.authors.count() == 0)
        }
    }
}
