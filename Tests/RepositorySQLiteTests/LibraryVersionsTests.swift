import Foundation
import Generated
import RepositorySQLite
import Testing

@testable import RepositoryRuntime

/// Data that the demo's library wrote with the schemas of its versions 1 and 2, which are in
/// `Schemas/Versions`: `Tests/EarlierStores/Library1` and `Library2`.
@Suite("Data of the library's versions")
struct LibraryVersionsTests {
    /// A place with data of an earlier version.
    struct Place: Sendable, CustomTestStringConvertible {
        let version: Int
        let name: String
        let store: @Sendable (URL) -> any EntityStore

        var testDescription: String { "\(name) of version \(version)" }

        static let all = [1, 2].flatMap { version in
            [
                Place(version: version, name: "library.sqlite") { SQLiteStore(path: $0.path) },
                Place(version: version, name: "json") {
                    FileSystemStore(directory: $0, transformer: JSONDataTransformer())
                },
                Place(version: version, name: "cbor") {
                    FileSystemStore(directory: $0, transformer: CBORDataTransformer())
                },
            ]
        }

        /// Copies the data into a folder.
        func copy(to folder: String) throws -> URL {
            let earlier = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "EarlierStores/Library\(version)")
            let copy = URL(filePath: folder).appending(path: name)
            try FileManager.default.copyItem(at: earlier.appending(path: name), to: copy)
            return copy
        }
    }

    @Test("is opened by the present program", arguments: Place.all)
    func opened(place: Place) async throws {
        try await withFolder { folder in
            let url = try place.copy(to: folder)
            // The second time, nothing is left to do.
            for _ in 0..<2 {
                let library = Library(place.store(url))
                let books = try await library.books.fetch(.sorted(by: \.title))
                #expect(
                    books.map(\.title)
                        == [
                            "A Wizard of Earthsea", "The Dispossessed", "The Left Hand of Darkness",
                        ])
                #expect(
                    books.map(\.price)
                        == [0, Decimal(string: "9.99") ?? 0, Decimal(string: "12.5") ?? 0])
                #expect(books.map(\.status) == [.withdrawn, .onLoan, .available])
                #expect(books.map(\.pages) == (place.version == 1 ? [1, 1, 1] : [183, 387, 304]))
                #expect(books.map(\.subtitle) == [nil, nil, nil])
                #expect(books.map(\.shelf?.room) == ["B", nil, "A"])
                #expect(books.map(\.revision) == [1, 1, 1])
                let author = try #require(
                    try await library.authors.findAll(name: "Ursula K. Le Guin").first)
                #expect(try await library.authors.books(of: author).count == 3)
                #expect(try await library.books.findAll(status: .withdrawn).map(\.pages).count == 1)
                let client = try #require(try await library.clients.find(email: "ada@example.org"))
                #expect(client.address?.postalCode == (place.version == 1 ? nil : "SW1Y 4JH"))
                let loan = try #require(try await library.clients.loans(of: client).first)
                #expect(loan.returnedAt == nil)
                #expect(loan.bookID == "9780061054884")
            }
            // What is written now has the new form.
            let library = Library(place.store(url))
            var book = try await library.books.read("9780061054884")
            book.price += 1
            book.subtitle = "An Ambiguous Utopia"
            #expect(try await library.books.update(book).revision == 2)
            let again = try await Library(place.store(url)).books.read("9780061054884")
            #expect(again.price == Decimal(string: "10.99"))
            #expect(again.subtitle == "An Ambiguous Utopia")
        }
    }
}
