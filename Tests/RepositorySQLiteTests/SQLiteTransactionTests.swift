import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Transactions and snapshots, on a file and in memory.
@Suite struct SQLiteTransactionTests {
    private func client(_ id: String) -> Client {
        Client(id: Client.ID(id), name: "N", email: "\(id)@x")
    }

    private func onEach(
        _ body: (SQLiteStore, Library) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            for store in [SQLiteStore(path: folder + "/data.sqlite"), .inMemory()] {
                let library = Library(store)
                try await library.open()
                try await body(store, library)
            }
        }
    }

    @Test func othersSeeWhatIsCommittedAndNothingBefore() async throws {
        try await onEach { store, library in
            try await library.clients.create(client("old"))
            let transaction = try await store.begin()
            try await transaction.create(client("new"))
            _ = try await transaction.deleteAll(Client.self, ids: ["old"])
            #expect(try await transaction.count(Client.self) == 1)
            #expect(try await transaction.exists(Client.self, id: "new"))
            #expect(try await store.exists(Client.self, id: "new") == false)
            #expect(try await store.ids(Client.self) == ["old"])
            try await transaction.commit()
            #expect(try await store.ids(Client.self) == ["new"])
        }
    }

    @Test func afterItsEndEveryCallIsRefused() async throws {
        try await onEach { store, _ in
            let transaction = try await store.begin()
            try await transaction.create(client("a"))
            await transaction.rollBack()
            await transaction.rollBack()
            try await expectError(.transactionEnded) { try await transaction.create(client("b")) }
            try await expectError(.transactionEnded) { try await transaction.commit() }
            try await expectError(.transactionEnded) { _ = try await transaction.begin() }
            #expect(try await store.count(Client.self) == 0)
        }
    }

    @Test func aFailedOperationLeavesTheTransactionUsable() async throws {
        try await onEach { store, _ in
            let transaction = try await store.begin()
            try await transaction.create(client("a"))
            try await expectError(.recordAlreadyExists, id: "a") {
                try await transaction.create(client("a"))
            }
            try await expectError(.recordAlreadyExists, id: "a") {
                try await transaction.createAll([client("b"), client("a")])
            }
            try await transaction.create(client("c"))
            try await transaction.commit()
            #expect(try await store.ids(Client.self) == ["a", "c"])
        }
    }

    @Test func nestedOnesAreSavepoints() async throws {
        try await onEach { store, _ in
            let outer = try await store.begin()
            try await outer.create(client("a"))
            let inner = try await outer.begin()
            try await inner.create(client("b"))
            try await expectError(.unsupported) { try await outer.create(client("x")) }
            try await expectError(.unsupported) { _ = try await outer.begin() }
            let innermost = try await inner.begin()
            try await innermost.create(client("c"))
            try await innermost.commit()
            await inner.rollBack()
            let other = try await outer.begin()
            try await other.create(client("d"))
            try await other.commit()
            try await expectError(.transactionEnded) { try await other.create(client("e")) }
            try await outer.commit()
            #expect(try await store.ids(Client.self) == ["a", "d"])
        }
    }

    @Test func oneThatIsDroppedIsRolledBack() async throws {
        try await onEach { store, library in
            do {
                let transaction = try await store.begin()
                try await transaction.create(client("a"))
                let nested = try await transaction.begin()
                try await nested.create(client("b"))
            }
            // Waits for the connection, which the transaction must have given back.
            try await library.clients.create(client("c"))
            #expect(try await store.ids(Client.self) == ["c"])
        }
    }

    @Test func writesWaitAndShareCommitsAfterwards() async throws {
        try await onEach { store, library in
            let transaction = try await store.begin()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask { try await library.clients.create(client("w\(number)")) }
                }
                group.addTask {
                    let second = try await store.begin()
                    try await second.create(client("second"))
                    try await second.commit()
                }
                for number in 0..<20 { try await transaction.create(client("t\(number)")) }
                #expect(try await store.count(Client.self) == 0)
                try await transaction.commit()
                try await group.waitForAll()
            }
            #expect(try await store.count(Client.self) == 61)
        }
    }

    @Test func whoIsCancelledWhileWaitingLeavesTheQueue() async throws {
        try await onEach { store, library in
            let transaction = try await store.begin()
            let waiting = Task { try await store.begin() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            try await transaction.commit()
            try await library.clients.create(client("a"))
            #expect(try await store.count(Client.self) == 1)
        }
    }

    @Test func referencesAreLookedAtByTheCommit() async throws {
        try await onEach { store, library in
            let author = Author(name: "A")
            let book = Book(isbn: "0000000001", title: "T", pages: 1, authorID: author.id)
            let good = try await store.begin()
            try await good.create(book)
            try await good.create(author)
            try await good.commit()
            #expect(try await library.books.exists(book.id))

            let bad = try await store.begin()
            try await bad.create(client("a"))
            try await bad.delete(Author.self, id: author.id)
            let error = try await expectError(.constraintViolated) { try await bad.commit() }
            #expect(error.table == "books" && error.field == "authorID")
            #expect(try await library.authors.exists(author.id))
            #expect(try await library.clients.count() == 0)
        }
    }

    @Test func aRestrictedDeleteNamesTheFieldThatRefers() async throws {
        let library = Library(SQLiteStore.inMemory())
        let author = try await library.authors.create(Author(name: "A"))
        try await library.books.create(
            Book(isbn: "0000000001", title: "T", pages: 1, authorID: author.id))
        let error = try await expectError(.constraintViolated) {
            try await library.authors.delete(author.id)
        }
        #expect(error.message.contains("'authorID' of a record in 'books'"), "\(error)")
    }

    @Test func aSnapshotStaysAtItsState() async throws {
        try await onEach { store, library in
            try await library.clients.create(client("a"))
            let snapshot = try await store.snapshot()
            try await library.clients.create(client("b"))
            try await library.clients.delete("a")
            #expect(try await snapshot.ids(Client.self) == ["a"])
            #expect(try await snapshot.exists(Client.self, id: "b") == false)
            #expect(try await store.ids(Client.self) == ["b"])
            try await expectError(.unsupported) { try await snapshot.create(client("c")) }
            try await expectError(.unsupported) { _ = try await snapshot.begin() }
            await snapshot.rollBack()
            try await expectError(.transactionEnded) { _ = try await snapshot.ids(Client.self) }
            #expect(try await store.snapshot().ids(Client.self) == ["b"])
        }
    }

    @Test func stockIsNeverTakenBelowZero() async throws {
        try await onEach { store, library in
            let author = try await library.authors.create(Author(name: "A"))
            let isbn: Book.ID = "0000000001"
            try await library.books.create(
                Book(isbn: isbn, title: "T", pages: 41, authorID: author.id))
            let query = Query<Book>.where { $0.isbn == isbn && $0.pages > 1 }
            let taken = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        try await store.updateAll(query) { book in
                            var book = book
                            book.pages -= 1
                            return book
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(taken == 40)
            #expect(try await library.books.read(isbn).pages == 1)
            #expect(try await library.books.read(isbn).revision == 41)
        }
    }

    @Test func updatesTestWhatSQLiteDoesNotAndTakeTheFirstOfAnOrder() async throws {
        try await onEach { store, library in
            let names = ["Éa", "éb", "x", "ÉC"]
            for (number, name) in names.enumerated() {
                try await library.clients.create(
                    Client(id: Client.ID("\(number)"), name: name, email: "\(number)@x"))
            }
            let rename: @Sendable (Client) throws -> Client = { client in
                var client = client
                client.name += "!"
                return client
            }
            let query = Query<Client>.where { $0.name.hasPrefix("é", ignoringCase: true) }
            #expect(try await store.updateAll(query.offset(1).limit(1), rename) == 1)
            #expect(try await store.updateAll(query, rename) == 3)
            #expect(
                try await library.clients.fetch(.all).map(\.name) == ["Éa!", "éb!!", "x", "ÉC!"])
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                _ = try await store.updateAll(Query<Client>.all) { client in
                    if client.id == "2" { throw Refusal() }
                    return try rename(client)
                }
            }
            #expect(
                try await library.clients.fetch(.all).map(\.name) == ["Éa!", "éb!!", "x", "ÉC!"])
        }
    }
}
