import Foundation
import Generated
import RepositoryEncryption
import RepositoryRuntime
import RepositorySQLite
import Testing

/// What the guides say about the results of calls, on stores of three kinds.
@Suite("What the guides say")
struct GuideClaimsTests {
    /// The stores.
    enum Kind: CaseIterable, Sendable { case memory, files, sqlite }

    private static let isbn: Book.ID = "9780061054884"

    /// Calls a body with a library that has an author, a client and a book.
    private func withLibrary(
        _ kind: Kind, _ body: (Library, Author, Client) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let store: any EntityStore =
                switch kind {
                case .memory: InMemoryStore()
                case .files: FileSystemStore(directory: folder, transformer: JSONDataTransformer())
                case .sqlite: SQLiteStore.inMemory()
                }
            let library = Library(store, fullScans: .allow)
            let author = try await library.authors.create(Author(name: "Ada"))
            let client = try await library.clients.create(
                Client(id: "c", name: "C", email: "c@example.org"))
            try await library.books.create(
                Book(isbn: Self.isbn, title: "Emma", pages: 387, authorID: author.id))
            try await body(library, author, client)
            try await library.close()
        }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await body(folder)
        try FileManager.default.removeItem(at: folder)
    }

    /// The code of the error that a body throws; nil if it throws none.
    private func code(_ body: () async throws -> Void) async -> CRUDRepositoryError.Code? {
        await #expect(throws: CRUDRepositoryError.self) { try await body() }?.code
    }

    @Test("about errors", arguments: Kind.allCases)
    func errors(_ kind: Kind) async throws {
        try await withLibrary(kind) { library, author, _ in
            let books = library.books
            let stored = try await books.read(Self.isbn)
            try await books.update(Self.isbn) { $0.pages += 1 }
            #expect(await code { _ = try await books.update(stored) } == .versionConflict)
            #expect(await code { _ = try await books.create(stored) } == .recordAlreadyExists)
            #expect(await code { _ = try await books.read("9999999999") } == .recordNotFound)
            #expect(await code { try await books.delete("9999999999") } == .recordNotFound)
            #expect(await code { _ = try await books.read("") } == .invalidIdentifier)
            #expect(
                await code { try await library.authors.delete(author.id) } == .constraintViolated)
            #expect(await code { _ = try await books.fetch(.limit(-1)) } == .invalidQuery)
            var ended: Library?
            try await library.transaction { ended = $0 }
            let late = try #require(ended)
            #expect(await code { _ = try await late.books.count() } == .transactionEnded)
        }
    }

    @Test("about pages", arguments: Kind.allCases)
    func pages(_ kind: Kind) async throws {
        try await withLibrary(kind) { library, author, _ in
            for number in 0..<6 {
                try await library.books.create(
                    Book(
                        isbn: Book.ID("978000000\(1000 + number)"), title: "T\(number)", pages: 10,
                        authorID: author.id))
            }
            let query = Query<Book>.sorted(by: \.title).limit(3)
            let first = try await library.books.page(query)
            let second = try await library.books.page(query, after: first.next)
            let third = try await library.books.page(query, after: second.next)
            #expect([first, second, third].map(\.items.count) == [3, 3, 1])
            #expect(third.next == nil)
            let other = Query<Book>.sorted(by: \.pages).limit(3)
            #expect(
                await code { _ = try await library.books.page(other, after: first.next) }
                    == .invalidQuery)
            #expect(QueryCursor("text of a request") == nil)
        }
    }

    @Test("about relations", arguments: Kind.allCases)
    func relations(_ kind: Kind) async throws {
        try await withLibrary(kind) { library, author, client in
            // The references are checked at the end, so that the author may come last.
            try await library.transaction { library in
                let late = Author(name: "Late")
                try await library.books.create(
                    Book(isbn: "9780061054885", title: "First", pages: 1, authorID: late.id))
                try await library.authors.create(late)
            }
            let rows = try await library.books.fetch(
                .where { $0.isbn == Self.isbn }, loading: \.author)
            #expect(rows.first?.1?.name == "Ada")
            let loans = [1, 2].map { Loan(bookID: Self.isbn, number: $0, clientID: client.id) }
            try await library.loans.createAll(loans)
            #expect(try await library.clients.books(of: client).map(\.isbn) == [Self.isbn])
            try await library.loans.replace(where: { $0.bookID == Self.isbn }, with: [loans[1]])
            #expect(try await library.loans.fetch().map(\.number) == [2])
            try await library.books.delete(Self.isbn)
            #expect(try await library.loans.count() == 0)
        }
    }

    @Test("about concurrent changes", arguments: Kind.allCases)
    func conflicts(_ kind: Kind) async throws {
        try await withLibrary(kind) { library, author, _ in
            let original = try await library.books.read(Self.isbn)
            try await library.books.update(Self.isbn) { $0.pages = 400 }
            var edited = original
            edited.title = "Emma, revised"
            let merged = try await library.books.save(edited, conflict: .merge(from: original))
            #expect(merged.pages == 400)
            #expect(merged.title == "Emma, revised")
            #expect(try await library.books.save(edited, conflict: .replace).pages == 387)
            try await library.transaction { library in
                try await library.authors.create(Author(name: "Kept"))
                #expect(
                    await code {
                        try await library.transaction { library in
                            try await library.authors.create(Author(name: "Undone"))
                            try await library.authors.create(Author(name: ""))
                        }
                    } == .invalidItem)
            }
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["Ada", "Kept"])
        }
    }

    @Test("about observation", arguments: Kind.allCases)
    func observation(_ kind: Kind) async throws {
        try await withLibrary(kind) { library, _, _ in
            var numbers = library.observe { library in
                (try await library.books.count(), try await library.clients.count())
            }.makeAsyncIterator()
            let before = try #require(try await numbers.next())
            #expect(before == (1, 1))
            var changes = library.books.changes().makeAsyncIterator()
            #expect(try await changes.next()?.changes.count == 1)
            try await library.books.delete(Self.isbn)
            #expect(try await changes.next()?.items == [])
            let after = try #require(try await numbers.next())
            #expect(after == (0, 1))
            #expect(
                await code {
                    try await library.transaction { library in
                        for try await _ in library.books.observe() { break }
                    }
                } == .unsupported)
        }
    }

    @Test("about another store", arguments: Kind.allCases)
    func copies(_ kind: Kind) async throws {
        try await withLibrary(kind) { old, _, _ in
            try await old.books.update(Self.isbn) { $0.pages += 1 }
            let new = Library(SQLiteStore.inMemory())
            try await new.transaction { new in
                for try await author in old.authors.stream() {
                    try await new.authors.create(author)
                }
                for try await book in old.books.stream() { try await new.books.create(book) }
            }
            let book = try await new.books.read(Self.isbn)
            #expect(book.pages == 388)
            #expect(book.revision == 1)
            #expect(try await new.authors.fetch() == old.authors.fetch())
        }
    }

    #if Encryption
        @Test("about encryption")
        func encryption() async throws {
            try await withFolder { folder in
                let (key, bytes) = try EncryptionKey.random(id: "2026-11")
                #expect(bytes.count == 32)
                func library(_ name: String, _ keys: KeyRing?) -> Library {
                    let format: any RecordTransformer = CBORDataTransformer()
                    let place = folder.appending(path: name)
                    guard let keys else {
                        return Library(FileSystemStore(directory: place, transformer: format))
                    }
                    return Library(
                        FileSystemStore(
                            directory: place, transformer: EncryptedTransformer(format, keys: keys))
                    )
                }
                let plain = library("plain", nil)
                try await plain.authors.create(Author(name: "Ada"))
                let encrypted = library("encrypted", try KeyRing(key))
                try await encrypted.transaction { encrypted in
                    try await encrypted.authors.createAll(plain.authors.fetch())
                }
                #expect(try await encrypted.authors.fetch() == plain.authors.fetch())
                let mixed = library("plain", try KeyRing(key))
                #expect(await code { _ = try await mixed.authors.count() } == .schemaMismatch)
                let stranger = library(
                    "encrypted", try KeyRing(EncryptionKey.random(id: "other").0))
                #expect(await code { _ = try await stranger.authors.count() } == .keyNotFound)
            }
        }
    #endif
}
