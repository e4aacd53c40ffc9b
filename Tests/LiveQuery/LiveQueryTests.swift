import Foundation
import Generated
import Observation
import RepositoryObservation
import RepositoryRuntime
import RepositorySQLite
import Synchronization
import Testing

/// Observed queries as observable objects.
@MainActor @Suite struct LiveQueryTests {
    /// Waits until a condition on the main actor holds, at most ten minutes: what else runs takes
    /// the processors.
    private func until(_ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(600)
        while !condition() {
            try #require(ContinuousClock.now < limit, "it took too long")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func theFirstRowsOfAMemoryStoreAreThereAtOnce() async throws {
        let library = Library(InMemoryStore())
        try await library.authors.create(Author(name: "Ursula"))
        let query = LiveQuery(library.authors.observe())
        #expect(query.rows.map(\.name) == ["Ursula"])
        #expect(!query.isLoading && query.error == nil && !query.isFinished)
    }

    @Test func rowsFollowCommits() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let stores: [any EntityStore] = [
            InMemoryStore(), FileSystemStore(directory: folder.appending(path: "files")),
            SQLiteStore(path: folder.appending(path: "library.sqlite").path),
        ]
        for store in stores {
            let library = Library(store)
            let query = LiveQuery(library.authors.observe(.all.sorted(by: \.name)))
            let count = LiveValue(library.authors.observeCount())
            try await until { !query.isLoading && !count.isLoading }
            #expect(query.rows.isEmpty && count.value == 0)
            for name in ["Octavia", "Ada", "Ursula"] {
                try await library.authors.create(Author(name: name))
            }
            try await until { query.rows.count == 3 && count.value == 3 }
            #expect(query.rows.map(\.name) == ["Ada", "Octavia", "Ursula"])
            _ = try await library.authors.deleteAll()
            try await until { query.rows.isEmpty && count.value == 0 }
            try await library.close()
            try await until { query.isFinished && count.isFinished }
            #expect(query.error == nil && !query.isLoading)
        }
    }

    @Test func changesAreObservable() async throws {
        let library = Library(InMemoryStore())
        let query = LiveQuery(library.authors.observe())
        let changes = Mutex(0)
        withObservationTracking {
            _ = query.rows
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try await library.authors.create(Author(name: "Ursula"))
        try await until { changes.withLock { $0 } == 1 }
        try await until { query.rows.count == 1 }
    }

    @Test func anErrorKeepsTheRowsAndCanBeTriedAgain() async throws {
        let store = SwitchableStore(InMemoryStore())
        let library = Library(store)
        try await library.authors.create(Author(name: "Ursula"))
        let query = LiveQuery(library.authors.observe())
        try await until { query.rows.count == 1 }
        store.fails.withLock { $0 = true }
        query.restart()
        try await until { query.error != nil }
        #expect(query.error?.code == .databaseError)
        #expect(query.rows.map(\.name) == ["Ursula"] && query.isFinished && !query.isLoading)
        store.fails.withLock { $0 = false }
        query.restart()
        try await until { !query.isLoading }
        #expect(query.error == nil && query.rows.map(\.name) == ["Ursula"])
    }

    @Test func theQueryCanChangeAndStop() async throws {
        let library = Library(InMemoryStore())
        for name in ["Octavia", "Ursula"] {
            try await library.authors.create(Author(name: name))
        }
        let query = LiveQuery(library.authors.observe(), isStarted: false)
        #expect(query.rows.isEmpty && !query.isLoading)
        query.start()
        try await until { query.rows.count == 2 }
        query.observe(library.authors.observe(where: { $0.name == "Ursula" }))
        try await until { query.rows.count == 1 }
        query.stop()
        #expect(query.isFinished && query.rows.count == 1)
        try await library.authors.create(Author(name: "Ursula"))
        query.start()
        #expect(query.isFinished && query.rows.count == 1)
        query.restart()
        try await until { query.rows.count == 2 }
    }

    @Test func theObservationEndsWithTheObject() async throws {
        let store = InMemoryStore()
        let library = Library(store)
        weak var object: LiveQuery<Author>?
        do {
            let query = LiveQuery(library.authors.observe())
            object = query
            try await until { store.changes.hasObservers && query.rows.isEmpty }
        }
        #expect(object == nil)
        try await until { !store.changes.hasObservers }
    }
}

/// A store whose reads fail on demand.
private final class SwitchableStore: EntityStoreWrapper {
    let store: any EntityStore
    let fails = Mutex(false)

    init(_ store: any EntityStore) { self.store = store }

    func snapshot() async throws -> any StoreTransaction {
        if fails.withLock({ $0 }) {
            throw CRUDRepositoryError(.databaseError, "The disk is gone.")
        }
        return try await store.snapshot()
    }
}
