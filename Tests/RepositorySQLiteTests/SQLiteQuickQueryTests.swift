import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// Queries that run on the caller's thread because they were quick.
@Suite struct SQLiteQuickQueryTests {
    @Test func aQueryIsQuickAfterTwoQuickRuns() {
        let queries = SQLiteQuickQueries()
        queries.record("a", wasQuick: true)
        #expect(!queries.contains("a"))
        queries.record("a", wasQuick: true)
        #expect(queries.contains("a") && !queries.contains("b"))
        queries.record("a", wasQuick: false)
        for _ in 0..<15 { queries.record("a", wasQuick: true) }
        #expect(!queries.contains("a"))
        queries.record("a", wasQuick: true)
        #expect(queries.contains("a"))
        // The memory is limited.
        for number in 0..<600 { queries.record("\(number)", wasQuick: true) }
        #expect(!queries.contains("a"))
    }

    private struct Shown: Sendable {
        let library: Library
        let store: SQLiteStore
        /// The queries of authors by name.
        let query: @Sendable (String) -> Query<Author>
    }

    /// Runs a body with ten authors `A`, of whom the query by name is quick.
    private func withQuickQuery(_ body: (Shown) async throws -> Void) async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            store.database.quickQueries.time = .seconds(3_600)
            let library = Library(store)
            try await library.authors.createAll((0..<10).map { _ in Author(name: "A") })
            let shown = Shown(library: library, store: store) { name in
                .where { $0.name == name }
            }
            for _ in 0..<3 {
                #expect(try await library.authors.fetch(shown.query("A")).count == 10)
            }
            #expect(quick(store).count == 1)
            try await body(shown)
        }
    }

    /// The quick queries of a store.
    private func quick(_ store: SQLiteStore) -> [String] { store.database.quickQueries.quickTexts }

    @Test func aQuickQueryDoesNotUseTheThreadsOfLongReads() async throws {
        try await withQuickQuery { shown in
            let library = shown.library
            // All connections for long reads are busy.
            let gate = Gate()
            let count = SQLiteDatabase.readerCount
            async let held: Void = withThrowingTaskGroup { group in
                for _ in 0..<count {
                    group.addTask { try await shown.store.database.scan { _ in gate.wait() } }
                }
                try await group.waitForAll()
            }
            while gate.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await library.authors.fetch(shown.query("A")).count == 10)
            #expect(try await library.authors.fetch(shown.query("B")).isEmpty)
            gate.open(count)
            try await held
        }
    }

    @Test func aQueryThatTurnsOutLongIsRunAgainAndIsSlow() async throws {
        try await withQuickQuery { shown in
            let library = shown.library
            try await library.authors.createAll((0..<20_000).map { _ in Author(name: "B") })
            let plain = try await library.authors.fetch().filter { $0.name == "B" }
            let found = try await library.authors.fetch(shown.query("B"))
            #expect(found.map(\.id) == plain.map(\.id))
            #expect(quick(shown.store).isEmpty)
            // The connection of the aborted query serves others, and is in no transaction.
            #expect(try await library.authors.fetch(shown.query("A")).count == 10)
            #expect(try await library.authors.read(found[0].id).name == "B")
            try await library.authors.delete(found[0].id)
            #expect(try await library.authors.fetch(shown.query("B")).count == 19_999)
        }
    }

    @Test func aLongQueryOnTheCallersThreadIsAborted() async throws {
        try await withFolder { folder in
            let database = SQLiteDatabase(.file(folder + "/data.sqlite", busyTimeout: .seconds(1)))
            database.quickQueries.time = .seconds(3_600)
            let endless = """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT count(*) FROM n
                """
            for _ in 0..<3 {
                let result: Bool? = try database.readQuickly {
                    try SQLiteCatalog.hasRow(endless, $0)
                }
                #expect(result == nil)
                #expect(
                    try database.readQuickly { try SQLiteCatalog.hasRow("SELECT 1", $0) } == true)
            }
            database.quickQueries.time = .milliseconds(1)
            let slow: Bool? = try database.readQuickly { connection in
                Thread.sleep(forTimeInterval: 0.01)
                return try SQLiteCatalog.hasRow(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) "
                        + "SELECT count(*) FROM n", connection)
            }
            #expect(slow == nil)
            await database.close()
        }
    }

    @Test func aQuickQueryDoesNotWaitForLocks() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let lock = try PlainDatabase(path)
            try lock.run("CREATE TABLE t (a)")
            let database = SQLiteDatabase(.file(path, busyTimeout: .seconds(3_600)))
            database.quickQueries.time = .seconds(3_600)
            #expect(try database.readQuickly { try SQLiteCatalog.tables($0) } == ["t"])
            // Without a write-ahead log this lock excludes readers.
            try lock.run("BEGIN EXCLUSIVE")
            let found: Set<String>? = try database.readQuickly { try SQLiteCatalog.tables($0) }
            #expect(found == nil)
            try lock.run("COMMIT")
            #expect(try database.readQuickly { try SQLiteCatalog.tables($0) } == ["t"])
            await database.close()
        }
    }

    @Test func aCancelledTaskGetsNoResult() async throws {
        try await withQuickQuery { shown in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await shown.library.authors.fetch(shown.query("A"))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func aClosedStoreRunsNoQuickQuery() async throws {
        try await withQuickQuery { shown in
            try await shown.store.close()
            await #expect(throws: CRUDRepositoryError.self) {
                try await shown.library.authors.fetch(shown.query("A"))
            }
        }
    }

    @Test func aQuickQuerySeesEveryCommit() async throws {
        try await withQuickQuery { shown in
            let library = shown.library
            for number in 0..<50 {
                try await library.authors.create(Author(name: "A"))
                #expect(try await library.authors.fetch(shown.query("A")).count == 11 + number)
            }
            try await library.transaction { inside in
                try await inside.authors.deleteAll(where: { $0.name == "A" })
                #expect(try await inside.authors.fetch(shown.query("A")).isEmpty)
                // Only this task reads what the transaction sees.
                let outside = Task.detached { try await library.authors.fetch(shown.query("A")) }
                #expect(try await outside.value.count == 60)
            }
            #expect(try await library.authors.fetch(shown.query("A")).isEmpty)
        }
    }
}

/// Holds threads until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let entered = Mutex(0)

    var waiting: Int { entered.withLock { $0 } }

    func wait() {
        entered.withLock { $0 += 1 }
        semaphore.wait()
    }

    func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
}
