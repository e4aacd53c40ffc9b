import Foundation
import Generated
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("What a store tells of its commits")
struct TransactionChangesTests {
    /// What was sent, in order.
    private final class Sent: Sendable {
        let changes = Mutex<[StoreChange]>([])

        func take() -> [StoreChange] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    private static let stores: [@Sendable () -> any EntityStore] = [
        { InMemoryStore() },
        { DocumentStore(CountingDriver(), transformer: JSONDataTransformer()) },
    ]

    private func ids(_ change: StoreChange?, _ table: String) -> StoreChange.Records? {
        change?.tables?[table]
    }

    @Test("Each commit is told once, with all that it changed", arguments: [0, 1])
    func commits(_ number: Int) async throws {
        let store = Self.stores[number]()
        let library = Library(store)
        let author = Author(name: "Ada")
        let book = Book(isbn: "isbn-10000000", title: "T", pages: 9, authorID: author.id)
        let client = try await library.clients.create(
            Client(id: "c", name: "C", email: "c@example.org"))
        let sent = Sent()
        let observer = store.changes.add { change in
            sent.changes.withLock { $0.append(change) }
        }
        try await library.transaction { library in
            try await library.authors.create(author)
            try await library.books.create(book)
            try await library.transaction { inner in
                try await inner.loans.create(Loan(bookID: book.id, number: 1, clientID: client.id))
            }
            #expect(sent.take().isEmpty)
        }
        var changes = sent.take()
        #expect(changes.count == 1)
        #expect(changes.first?.tables?.keys.sorted() == ["authors", "books", "loans"])
        #expect(ids(changes.first, "authors") == .ids([author.id.description]))
        try await library.books.delete(book.id)
        changes = sent.take()
        #expect(changes.count == 1)
        // The loan went with the book.
        #expect(changes.first?.tables?.keys.sorted() == ["books", "loans"])
        store.changes.remove(observer)
        try await library.books.create(book)
        #expect(sent.take().isEmpty)
    }

    @Test("What was rolled back, or failed, is told to nobody", arguments: [0, 1])
    func rolledBack(_ number: Int) async throws {
        let store = Self.stores[number]()
        let library = Library(store)
        let author = try await library.authors.create(Author(name: "Ada"))
        let sent = Sent()
        _ = store.changes.add { change in sent.changes.withLock { $0.append(change) } }
        #expect(
            await errorCode { try await library.authors.create(author) } == .recordAlreadyExists)
        await #expect(throws: CancellationError.self) {
            try await library.transaction { library in
                try await library.authors.delete(author.id)
                throw CancellationError()
            }
        }
        try await library.transaction { library in
            try await library.authors.create(Author(name: "Bob"))
            await #expect(throws: CancellationError.self) {
                try await library.transaction { inner in
                    try await inner.authors.delete(author.id)
                    throw CancellationError()
                }
            }
        }
        let changes = sent.take()
        #expect(changes.count == 1)
        #expect(ids(changes.first, "authors") != nil)
        #expect(ids(changes.first, "authors") != .ids([author.id.description]))
    }
}
