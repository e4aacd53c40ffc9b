import Foundation
import Generated
import Synchronization
import Testing

@testable import RepositoryRuntime

/// The least that a driver of documents can be: what is left out comes from the protocol's defaults.
final class SmallDriver: DocumentDriver {
    struct Content: Sendable {
        /// Keys are compared by their bytes.
        var documents: [String: [TextKey: Data]] = [:]
        var notes: [String: Data] = [:]
        /// How many writes succeed before one fails; nil for all.
        var writesLeft: Int?
    }

    let content = Mutex(Content())
    private let lock = NSRecursiveLock()
    let name = "small"
    let isDurable = false

    func get(_ key: String, in collection: String) -> Data? {
        content.withLock { $0.documents[collection]?[TextKey(key)] }
    }

    func keys(in collection: String) -> [String] {
        content.withLock { ($0.documents[collection] ?? [:]).keys.map(\.text) }
    }

    private func write<R: Sendable>(_ body: (inout Content) -> R) throws -> R {
        try content.withLock { content in
            if let left = content.writesLeft {
                if left == 0 { throw CRUDRepositoryError(.databaseError, "Broken.") }
                content.writesLeft = left - 1
            }
            return body(&content)
        }
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        let isThere = get(change.key, in: change.collection) != nil
        switch change.condition {
        case .absent where isThere, .present where !isThere: return false
        default: break
        }
        try write {
            $0.documents[change.collection, default: [:]][TextKey(change.key)] = change.data
        }
        return true
    }

    func withLock<R>(_ body: () throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    func note(_ name: String) -> Data? { content.withLock { $0.notes[name] } }

    func setNote(_ name: String, _ data: Data?) throws { try write { $0.notes[name] = data } }
}

@Suite("A store over the smallest driver")
struct SmallDriverTests {
    private let author = Author(name: "Ada")

    private func book(_ number: Int, pages: Int = 10) -> Book {
        Book(
            isbn: .init("isbn-\(1000 + number)00"), title: "T\(number)", pages: pages,
            authorID: author.id)
    }

    @Test("A batch that fails from any write on leaves nothing once writes succeed again")
    func batches() async throws {
        var isDone = false
        var number = 0
        while !isDone {
            let driver = SmallDriver()
            let library = Library(DocumentStore(driver, transformer: JSONDataTransformer()))
            try await library.authors.create(author)
            let one = try await library.books.create(book(1))
            driver.content.withLock { $0.writesLeft = number }
            do {
                try await library.books.saveAll([book(2), one, book(3)])
                isDone = true
            } catch {
                #expect((error as? CRUDRepositoryError)?.code == .databaseError)
            }
            driver.content.withLock { $0.writesLeft = nil }
            // The next write finds what was left and puts it right.
            try await library.authors.create(Author(name: "Next"))
            #expect(try await library.books.count() == (isDone ? 3 : 1), "\(number)")
            #expect(try await library.books.read(one.id).revision == (isDone ? 2 : 1))
            #expect(driver.note("batch") == nil)
            number += 1
        }
        // The note, three records, the pages and states of the indexes of books, and the end of the note.
        #expect(number > 6)
    }

    @Test("References, unique values and finders hold")
    func rules() async throws {
        let library = Library(DocumentStore(SmallDriver(), transformer: XMLDataTransformer()))
        #expect(await errorCode { try await library.books.create(book(1)) } == .constraintViolated)
        try await library.authors.create(author)
        try await library.books.createAll([book(1), book(2)])
        #expect(try await library.books.findAll(authorID: author.id).map(\.title) == ["T1", "T2"])
        #expect(
            await errorCode { try await library.authors.delete(author.id) } == .constraintViolated)
        #expect(try await library.books.deleteAll() == 2)
        try await library.authors.delete(author.id)
    }
}
