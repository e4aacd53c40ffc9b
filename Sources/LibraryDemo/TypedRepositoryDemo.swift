import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite

#if PostgreSQL
    import RepositoryPostgreSQL
#endif

/// The part of the demo that uses the generated repositories of a small library.
///
/// The same code runs on every store. Only the expression that creates the store differs.
enum TypedRepositoryDemo {
    /// One store of each kind, with its name.
    static func stores(in folder: DemoFolder) -> [(String, any EntityStore)] {
        var stores: [(String, any EntityStore)] = [
            ("memory", InMemoryStore()),
            ("UserDefaults", UserDefaultsStore(suiteName: DemoFolder.suiteName)),
            ("files", FileSystemStore(directory: folder.url.appending(path: "Library"))),
            ("SQLite", SQLiteStore(path: folder.url.appending(path: "Library.sqlite").path)),
        ]
        #if PostgreSQL
            if let address = ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"] {
                stores.append(("PostgreSQL", PostgreSQLStore(address, schema: "demo")))
            }
        #endif
        return stores
    }

    /// Stores a few records, runs queries, and prints the results. Finally it prints the error of a
    /// restricted deletion.
    static func printSteps(over store: any EntityStore, named name: String) async throws {
        let library = Library(store)
        try await library.reset()

        let author = try await library.authors.create(Author(name: "Ursula K. Le Guin"))
        let client = try await library.clients.create(FourMethodDemo.client())
        try await library.books.createAll([
            Book(
                isbn: "9780441478125", title: "The Left Hand of Darkness", pages: 304,
                authorID: author.id),
            Book(
                isbn: "9780061054884", title: "The Dispossessed", pages: 387, price: 12,
                authorID: author.id),
        ])
        try await library.loans.create(
            Loan(bookID: "9780061054884", number: 1, clientID: client.id))

        var book = try await library.books.read("9780061054884")
        book.status = .onLoan
        book = try await library.books.update(book)
        let onLoan = try await library.books.findAll(status: .onLoan)
        let found = try await library.clients.find(email: "ada@example.org")
        let thick = try await library.books.thick(author: author.id, pages: 300)
        let written = try await library.authors.books(of: author)
        let refusal = await refusal { try await library.authors.delete(author.id) }
        print(
            """
               \(name): \(try await library.books.count()) books, on loan: \(onLoan.map(\.title)), \
            by \(found?.name ?? "nobody"); '\(book.title)' costs \(book.price) and is at \
            revision \(book.revision); \
            thickest first: \(thick.map(\.pages)); of \(author.name): \(written.count)
                  deleting their author: \(refusal)
            """)
    }

    private static func refusal(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "allowed, which is wrong"
        } catch {
            return error.localizedDescription
        }
    }
}
