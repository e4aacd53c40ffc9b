import Foundation
import Generated
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("Transactions of the engine")
struct TransactionTests {
    private let author = Author(name: "Ada")

    private func book(_ number: Int, pages: Int = 10) -> Book {
        Book(
            isbn: .init("isbn-\(10_000_000 + number)"), title: "T\(number)", pages: pages,
            authorID: author.id)
    }

    private func documents(
        _ driver: CountingDriver = CountingDriver()
    ) -> DocumentStore<CountingDriver> {
        DocumentStore(driver, transformer: JSONDataTransformer())
    }

    @Test("Nothing is written before the commit, which is one batch")
    func oneBatch() async throws {
        let driver = CountingDriver()
        let library = Library(documents(driver))
        try await library.authors.create(author)
        // Indexes are made when they are first needed, which is now.
        try await library.books.create(book(100))
        try await library.books.delete(book(100).id)
        let before = driver.content.withLock { $0 }
        try await library.transaction { library in
            for number in 0..<20 { try await library.books.create(book(number)) }
            try await library.books.delete(book(3).id)
            #expect(driver.content.withLock { $0.documents } == before.documents)
            #expect(driver.content.withLock { $0.batches } == before.batches)
        }
        #expect(driver.content.withLock { $0.batches } == before.batches + 1)
        #expect(try await library.books.count() == 19)
    }

    @Test("A commit that the driver refuses leaves nothing, and the store in use")
    func failingCommit() async throws {
        let driver = CountingDriver()
        let library = Library(documents(driver))
        try await library.authors.create(author)
        try await library.books.create(book(1))
        let code = await errorCode {
            try await library.transaction { library in
                try await library.books.create(book(2))
                try await library.books.delete(book(1).id)
                driver.content.withLock { $0.fails = true }
            }
        }
        #expect(code == .databaseError)
        driver.content.withLock { $0.fails = false }
        #expect(try await library.books.findAll(authorID: author.id).map(\.title) == ["T1"])
        try await library.books.create(book(2))
        #expect(try await library.books.count() == 2)
    }

    @Test("A transaction that nobody has any more does not keep others waiting")
    func dropped() async throws {
        for store in [InMemoryStore(), documents()] as [any EntityStore] {
            let library = Library(store)
            try await library.context.open()
            do {
                let outer = try await store.begin()
                try await outer.create(author)
                let nested = try await outer.begin()
                try await nested.create(Author(name: "Bob"))
            }
            #expect(try await library.authors.count() == 0)
            try await library.authors.create(author)
            #expect(try await library.authors.count() == 1)
        }
    }

    @Test("A nested transaction that nobody has any more is taken back")
    func droppedNested() async throws {
        for store in [InMemoryStore(), documents()] as [any EntityStore] {
            try await Library(store).context.open()
            let outer = try await store.begin()
            try await outer.create(author)
            do {
                let nested = try await outer.begin()
                try await nested.create(Author(name: "Bob"))
            }
            #expect(try await outer.count(Author.self) == 1)
            try await outer.commit()
            #expect(try await store.ids(Author.self) == [author.id])
        }
    }

    @Test("The end of the outermost transaction ends those in it")
    func endsAll() async throws {
        for store in [InMemoryStore(), documents()] as [any EntityStore] {
            try await Library(store).context.open()
            let outer = try await store.begin()
            let nested = try await outer.begin()
            try await nested.create(author)
            #expect(await errorCode { try await outer.commit() } == .unsupported)
            #expect(await errorCode { try await nested.count(Author.self) } == .transactionEnded)
            #expect(await errorCode { try await nested.commit() } == .transactionEnded)
            #expect(try await store.count(Author.self) == 0)
        }
    }

    @Test("The cost of a transaction grows with its records, not faster")
    func cost() async throws {
        func calls(_ count: Int) async throws -> Int {
            let driver = CountingDriver()
            let library = Library(documents(driver))
            try await library.authors.create(author)
            try await library.books.createAll((0..<count).map { book($0) })
            let before = driver.content.withLock { $0.calls }
            try await library.transaction { library in
                for number in count..<(2 * count) { try await library.books.create(book(number)) }
                for try await book in library.books.stream() {
                    var changed = book
                    changed.pages += 1
                    try await library.books.update(changed)
                }
                for number in 0..<count { try await library.books.delete(book(number).id) }
            }
            #expect(try await library.books.count() == count)
            return driver.content.withLock { $0.calls } - before
        }
        let (few, many) = (try await calls(100), try await calls(1000))
        #expect(many <= 11 * few, "\(few) calls, then \(many)")
    }

    @Test("The state that other processes are seen by moves with every commit")
    func externalState() async throws {
        let driver = CountingDriver()
        let store = documents(driver)
        let library = Library(store)
        try await library.authors.create(author)
        let before = try await store.externalState()
        #expect(before != nil)
        #expect(try await store.externalState() == before)
        try await library.transaction { library in
            try await library.books.create(book(1))
            #expect(try await store.externalState() == before)
        }
        #expect(try await store.externalState() != before)
        #expect(try await InMemoryStore().externalState() == nil)
    }
}
