import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// The end of a store, and connections that are closed while they are idle.
@Suite struct SQLiteClosingTests {
    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func closingRemovesTheLogAndLeavesADatabase() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            try await library.authors.create(Author(name: "A"))
            #expect(try names(in: folder).count == 3)
            try await library.close()
            #expect(try names(in: folder) == ["data.sqlite"])
            let other = try PlainDatabase(folder + "/data.sqlite")
            #expect(try other.rows("SELECT name FROM authors") == [["A"]])
        }
    }

    @Test func everyOwnStatementOfAClosedStoreThrows() async throws {
        try await withFolder { folder in
            for store in [SQLiteStore(path: folder + "/data.sqlite"), .inMemory()] {
                let library = Library(store)
                try await library.authors.create(Author(name: "A"))
                try await library.close()
                try await expectError(.storeClosed) { try await store.sql("SELECT 1") }
                try await expectError(.storeClosed) {
                    _ = try await store.execute("DELETE FROM authors")
                }
                try await expectError(.storeClosed) { try await store.withConnection { _ in } }
                try await expectError(.storeClosed) { _ = try await store.externalState() }
                try await expectError(.storeClosed) {
                    _ = try await store.migrationPlan(Library.schema)
                }
            }
        }
    }

    @Test func aMovedFileIsNotReportedByAClosedStore() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            try await library.authors.create(Author(name: "A"))
            try FileManager.default.removeItem(atPath: folder + "/data.sqlite")
            try await expectError(.storeMoved) {
                try await library.authors.create(Author(name: "B"))
            }
            try await library.close()
            try await expectError(.storeClosed) { _ = try await library.authors.fetch() }
        }
    }

    @Test func closingWaitsForASnapshot() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            let snapshot = try await store.snapshot()
            let isClosed = CancellationFlag()
            let closing = Task {
                try await library.close()
                isClosed.cancel()
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(!isClosed.isCancelled)
            #expect(try await snapshot.count(Author.self) == 1)
            await snapshot.rollBack()
            try await closing.value
        }
    }

    @Test func idleConnectionsAreClosedAndOpenedAgain() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            for round in 0..<5 {
                let state = try await store.externalState()
                store.database.closeIdleDescriptors(sparing: true)
                #expect(try names(in: folder).count == 3)
                store.database.closeIdleDescriptors(sparing: true)
                #expect(try names(in: folder) == ["data.sqlite"])
                // Another program writes meanwhile.
                let other = Library(SQLiteStore(path: folder + "/data.sqlite"))
                try await other.authors.create(Author(name: "other \(round)"))
                try await other.close()
                #expect(try await store.externalState() != state)
                try await library.authors.create(Author(name: "\(round)"))
                #expect(try await library.authors.count() == 3 + 2 * round)
            }
        }
    }

    @Test func anOpenTransactionAndALentConnectionAreNotClosed() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            try await library.transaction { library in
                try await library.authors.create(Author(name: "B"))
                store.database.closeIdleDescriptors(sparing: false)
                try await library.authors.create(Author(name: "C"))
            }
            #expect(try await library.authors.count() == 3)
            _ = try await store.execute("CREATE TEMP TABLE own (a)")
            try await store.withConnection { _ in }
            store.database.closeIdleDescriptors(sparing: false)
            #expect(try names(in: folder).count == 3)
        }
    }

    @Test func aSchemaThatChangedWhileAConnectionWasClosedIsNoticed() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            store.database.closeIdleDescriptors(sparing: false)
            do {
                let other = try PlainDatabase(folder + "/data.sqlite")
                try other.run("DELETE FROM repository_schema")
            }
            try await expectError(.schemaMismatch) {
                try await library.authors.create(Author(name: "B"))
            }
        }
    }

    /// Creates an author in a store that is open for other writers: on a busy machine, the turn of
    /// the write may come after the time limit all the same.
    private func create(_ name: String, in library: Library) async throws {
        var attempts = 0
        var isDone = false
        while !isDone {
            do {
                try await library.authors.create(Author(name: name))
                isDone = true
            } catch let error as CRUDRepositoryError where error.isRetryable && attempts < 200 {
                attempts += 1
            }
        }
    }

    @Test func aWriterGivesUpAfterItsTime() async throws {
        try await withFolder { folder in
            let limit = Duration.milliseconds(50)
            let stores = [SQLiteStore(path: folder + "/data.sqlite", writerTimeout: limit)]
            for store in stores {
                let library = Library(store)
                try await create("A", in: library)
                let transaction = try await store.begin()
                let error = try await expectError(.databaseError) {
                    try await library.authors.create(Author(name: "B"))
                }
                #expect(error.isRetryable)
                #expect(
                    try await expectError(.databaseError) {
                        try await library.transaction { _ in }
                    }.isRetryable)
                #expect(try await library.authors.count() == 1)
                await transaction.rollBack()
                try await create("C", in: library)
                let names = try await library.authors.fetch().map(\.name)
                #expect(names.sorted() == ["A", "C"])
            }
        }
    }
}
