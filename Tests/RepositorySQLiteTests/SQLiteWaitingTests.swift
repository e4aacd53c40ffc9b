import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// Waiting for locks and for turns: it ends with its task, and after a time.
@Suite struct SQLiteWaitingTests {
    private func stores(_ folder: String, limit: Duration = .seconds(3_600)) -> [SQLiteStore] {
        var file = SQLiteLocation.file(folder + "/data.sqlite", busyTimeout: .seconds(3_600))
        var memory = SQLiteLocation.inMemory()
        file.turnLimit = limit
        memory.turnLimit = limit
        return [SQLiteStore(file), SQLiteStore(memory)]
    }

    /// Runs something that waits for up to an hour, cancels it, and expects that it ends.
    private func expectCancelled(
        _ wait: @escaping @Sendable () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let task = Task { try await wait() }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: CancellationError.self, sourceLocation: sourceLocation) {
            try await task.value
        }
    }

    @Test func aWriteThatIsCancelledInTheQueueDoesNotHappen() async throws {
        try await withFolder { folder in
            for store in stores(folder) {
                let library = Library(store)
                try await library.authors.create(Author(name: "A"))
                let transaction = try await store.begin()
                try await expectCancelled { try await library.authors.create(Author(name: "B")) }
                try await expectCancelled {
                    _ = try await library.authors.saveAll([Author(name: "C")])
                }
                try await expectCancelled { _ = try await store.execute("DELETE FROM authors") }
                try await expectCancelled { try await store.rebuildIndexes() }
                try await expectCancelled { try await store.withConnection { _ in } }
                try await expectCancelled { try await library.transaction { _ in } }
                await transaction.rollBack()
                #expect(try await library.authors.fetch().map(\.name) == ["A"])
                try await library.authors.create(Author(name: "D"))
                #expect(try await library.authors.count() == 2)
            }
        }
    }

    @Test func waitingForAnotherProcessEndsWithTheTask() async throws {
        try await withFolder { folder in
            let store = stores(folder)[0]
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            let other = try PlainDatabase(folder + "/data.sqlite")
            try other.run("BEGIN IMMEDIATE")
            try await expectCancelled { try await library.authors.create(Author(name: "B")) }
            try await expectCancelled { try await library.transaction { _ in } }
            try await expectCancelled { try await library.reset() }
            // Of two that wait together one goes on waiting.
            let patient = Task { try await library.authors.create(Author(name: "C")) }
            try await expectCancelled { try await library.authors.create(Author(name: "D")) }
            try other.run("COMMIT")
            _ = try await patient.value
            #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "C"])
        }
    }

    /// Without a write-ahead log reads wait for writers, too.
    @Test func readsThatWaitEndWithTheTask() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = stores(folder)[0]
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            let other = try PlainDatabase(path)
            try await library.open()
            let scan = SQLiteDatabase(.file(folder + "/other.sqlite", busyTimeout: .seconds(3_600)))
            let lock = try PlainDatabase(folder + "/other.sqlite")
            try lock.run("CREATE TABLE t (a); BEGIN EXCLUSIVE")
            try await expectCancelled {
                _ = try await scan.scan { try SQLiteCatalog.tables($0) }
            }
            try lock.run("COMMIT")
            #expect(try await scan.scan { try SQLiteCatalog.tables($0) } == ["t"])
            _ = other
        }
    }

    @Test func aTaskThatIsCancelledAlreadyWritesNothing() async throws {
        try await withFolder { folder in
            for store in stores(folder) {
                let library = Library(store)
                try await library.open()
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await library.authors.create(Author(name: "A"))
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try await library.authors.count() == 0)
            }
        }
    }

    @Test func waitingForATransactionThatDoesNotEndIsLimited() async throws {
        try await withFolder { folder in
            for store in stores(folder, limit: .milliseconds(200)) {
                let library = Library(store)
                try await library.authors.create(Author(name: "A"))
                let transaction = try await store.begin()
                let waits: [@Sendable () async throws -> Void] = [
                    { try await library.authors.create(Author(name: "B")) },
                    { try await library.transaction { _ in } },
                    { _ = try await store.execute("DELETE FROM authors") },
                ]
                for wait in waits {
                    let error = try await expectError(.databaseError) { try await wait() }
                    #expect(error.isRetryable)
                    #expect(error.message.contains("a transaction of the same store"), "\(error)")
                }
                #expect(try await library.authors.count() == 1)
                await transaction.rollBack()
                try await library.authors.create(Author(name: "C"))
                #expect(try await library.authors.fetch().map(\.name).sorted() == ["A", "C"])
            }
        }
    }

    /// A queue that moves is no reason to give up, however long it is; one that stands still is.
    @Test func onlyAQueueThatDoesNotMoveIsGivenUp() async {
        let watch = SQLiteQueueWatch(limit: .milliseconds(40))
        let reports = Mutex(0)
        let expired: Int = await withCheckedContinuation { continuation in
            #expect(watch.mustStart())
            #expect(!watch.mustStart())
            let answered = Mutex(false)
            watch.start({
                let number = reports.withLock { number in
                    number += 1
                    return number
                }
                // The queue moves for a hundred reports, which take longer than the limit.
                return .init(turns: UInt64(min(number, 100)), waiting: 7)
            }) { count, _ in
                guard
                    !answered.withLock({ wasAnswered in
                        defer { wasAnswered = true }
                        return wasAnswered
                    })
                else { return }
                continuation.resume(returning: count)
            }
        }
        #expect(expired == 7)
        #expect(reports.withLock { $0 } > 100)
    }

    @Test func waitingForAConnectionThatReadsIsLimited() async throws {
        try await withFolder { folder in
            var location = SQLiteLocation.file(
                folder + "/data.sqlite", busyTimeout: .seconds(3_600))
            location.turnLimit = .milliseconds(200)
            let database = SQLiteDatabase(location)
            try await database.write(.bare) { try $0.execute("CREATE TABLE t (a)") }
            let gate = DispatchSemaphore(value: 0)
            let holders = (0..<SQLiteDatabase.readerCount).map { _ in
                Task { try await database.scan { _ in gate.wait() } }
            }
            try await Task.sleep(for: .milliseconds(50))
            let error = try await expectError(.databaseError) {
                _ = try await database.scan { try SQLiteCatalog.tables($0) }
            }
            #expect(error.isRetryable)
            for _ in holders { gate.signal() }
            for holder in holders { try await holder.value }
            #expect(try await database.scan { try SQLiteCatalog.tables($0) } == ["t"])
        }
    }
}
