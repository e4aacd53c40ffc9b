import CSQLite
import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// A number that tasks share.
private final class Counter: Sendable {
    let number = Atomic(0)
}

/// Where reads run, what they cost, and how they end.
@Suite struct SQLiteReadingTests {
    private func client(_ id: String) -> Client {
        Client(id: Client.ID(id), name: "N", email: "\(id)@x")
    }

    /// The number of a thread, to be compared.
    private static func thread() -> UInt { UInt(bitPattern: Thread.current.hash) }

    /// One statement, no transaction, on the thread of the caller: the main actor's too.
    @Test @MainActor func aReadByIDIsOneStatementOnTheCallersThread() async throws {
        try await withFolder { folder in
            let seen = Mutex<[(text: String, thread: UInt)]>([])
            let store = SQLiteStore(path: folder + "/data.sqlite") { statement in
                seen.withLock { $0.append((statement.text, Self.thread())) }
            }
            let library = Library(store)
            try await library.clients.create(client("a"))
            _ = try await library.clients.read("a")
            seen.withLock { $0 = [] }
            let own = Self.thread()
            _ = try await library.clients.read("a")
            #expect(Self.thread() == own)
            let exists = try await library.clients.exists("a")
            #expect(exists)
            let statements = seen.withLock { $0 }
            #expect(statements.count == 2)
            #expect(statements.allSatisfy { $0.text.hasPrefix("SELECT") && $0.thread == own })
        }
    }

    /// A statement is prepared once for each connection, however often it runs.
    @Test func statementsArePreparedOnce() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            let author = try await library.authors.create(Author(name: "A"))
            let store = try #require(library.context.store as? SQLiteStore)
            func books(_ numbers: Range<Int>) -> [Book] {
                numbers.map {
                    Book(
                        isbn: Book.ID("\(1_000_000_000 + $0)"), title: "T", pages: 1,
                        authorID: author.id)
                }
            }
            _ = try await library.books.createAll(books(0..<10))
            let plans = store.plans
            @Sendable func prepared() async throws -> Int32 {
                try await store.database.write(.statement) { connection in
                    let insert = try connection.statements(Book.self, plans).inserting()
                    return sqlite3_stmt_status(insert.handle, SQLITE_STMTSTATUS_REPREPARE, 0)
                }
            }
            // The schema has come after the first statement.
            let before = try await prepared()
            for batch in 1..<20 {
                _ = try await library.books.createAll(books(batch * 10..<batch * 10 + 10))
            }
            #expect(try await prepared() == before)
            #expect(try await library.books.count() == 200)
        }
    }

    /// A batch whose records come before those they refer to is done with the looking put off; one that is refused for
    /// good leaves nothing behind, and tells observers nothing.
    @Test func batchesAreDoneAgainWhereTheirReferencesComeLate() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            let author = try await library.authors.create(Author(name: "A"))
            let first = try await library.books.create(
                Book(isbn: "0000000001", title: "T", pages: 1, authorID: author.id))
            let changes = Mutex<[StoreChange]>([])
            let observer = store.changes.add { change in changes.withLock { $0.append(change) } }
            defer { store.changes.remove(observer) }
            let lost = Book(
                isbn: "0000000002", title: "T", pages: 1, authorID: Author(name: "B").id)
            let error = try await expectError(.constraintViolated, id: "0000000002") {
                try await library.books.createAll([
                    Book(isbn: "0000000003", title: "T", pages: 1, authorID: author.id), lost,
                ])
            }
            #expect(error.field == "authorID")
            #expect(try await library.books.ids() == [first.id])
            #expect(changes.withLock { $0 }.isEmpty)
            // An id that is taken comes before a reference to nothing, in whatever order they stand.
            try await expectError(.recordAlreadyExists, id: "0000000001") {
                try await library.books.createAll([lost, first])
            }
            #expect(try await library.books.count() == 1)
        }
    }

    /// A query ends also where its task is cancelled before the first step, or between two.
    @Test func cancellationIsNotLostBetweenSteps() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.clients.create(client("a"))
            let (started, start) = AsyncStream<Void>.makeStream()
            let isCancelled = DispatchSemaphore(value: 0)
            let endless = Task {
                try await store.database.scan { connection in
                    start.yield()
                    isCancelled.wait()
                    try connection.statement(
                        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
                    ).run()
                }
            }
            var starts = started.makeAsyncIterator()
            await starts.next()
            endless.cancel()
            isCancelled.signal()
            await #expect(throws: CancellationError.self) { try await endless.value }
            for _ in 0..<20 { #expect(try await library.clients.fetch().count == 1) }
        }
    }

    /// Who waits for a connection and is cancelled does not wait for one that nobody gives back.
    @Test func aCancelledTaskDoesNotWaitItsTurn() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.clients.create(client("a"))
            let gate = DispatchSemaphore(value: 0)
            let (started, start) = AsyncStream<Void>.makeStream()
            // Far more than there are connections.
            let scans = (0..<64).map { number in
                Task {
                    try await store.database.scan { _ in
                        start.yield()
                        gate.wait()
                        return number
                    }
                }
            }
            var starts = started.makeAsyncIterator()
            for _ in 0..<SQLiteDatabase.readerCount { await starts.next() }
            let late = Task { try await library.clients.fetch() }
            late.cancel()
            await #expect(throws: CancellationError.self) { try await late.value }
            for _ in scans { gate.signal() }
            for (number, scan) in scans.enumerated() { #expect(try await scan.value == number) }
            #expect(try await library.clients.fetch().count == 1)
        }
    }

    /// While as many long reads as there may be are held up, and more wait, single reads and writes go on, and so does
    /// every other task.
    @Test func scansThatWaitHoldNobodyUp() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.clients.create(client("a"))
            let gate = DispatchSemaphore(value: 0)
            let ended = Counter()
            let scans = 64
            let endedBefore = try await withThrowingTaskGroup(of: Void.self) { group in
                let (started, start) = AsyncStream<Void>.makeStream()
                for _ in 0..<scans {
                    group.addTask { @concurrent in
                        try await store.database.scan { _ in
                            start.yield()
                            gate.wait()
                        }
                        ended.number.add(1, ordering: .relaxed)
                    }
                }
                var starts = started.makeAsyncIterator()
                await starts.next()
                for number in 0..<100 {
                    try await library.clients.create(client("\(number)"))
                    _ = try await library.clients.read(Client.ID("\(number)"))
                    await Task.yield()
                }
                let before = ended.number.load(ordering: .relaxed)
                for _ in 0..<scans { gate.signal() }
                try await group.waitForAll()
                return before
            }
            #expect(endedBefore == 0)
            #expect(ended.number.load(ordering: .relaxed) == scans)
        }
    }

    /// A snapshot that stays open neither holds up commits nor is it moved by checkpoints, of which there are many.
    @Test func checkpointsLeaveReadersAlone() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let library = Library(store)
            try await library.clients.create(client("first"))
            let snapshot = try await store.snapshot()
            for batch in 0..<16 {
                _ = try await library.clients.createAll(
                    (0..<1_000).map { number in
                        var one = client("\(batch)-\(number)")
                        one.name = String(repeating: "n", count: 200)
                        return one
                    })
                #expect(try await snapshot.ids(Client.self) == ["first"])
                #expect(try await library.clients.read("first").name == "N")
            }
            // More than a thousand pages were written, at which SQLite copies them into the database by itself.
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            let size = try #require(attributes[.size] as? Int)
            #expect(size > 1_000 * 4_096)
            await snapshot.rollBack()
            #expect(try await library.clients.count() == 16_001)
        }
    }
}
