import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// What the store tells those who observe it.
@Suite struct SQLiteObservationTests {
    /// The changes since the last time it was asked.
    private final class Changes: Sendable {
        private let seen = Mutex<[StoreChange]>([])
        private let store: SQLiteStore

        init(of store: SQLiteStore) {
            self.store = store
            _ = store.changes.add { change in self.seen.withLock { $0.append(change) } }
        }

        func take() -> [StoreChange] {
            seen.withLock { seen in
                defer { seen = [] }
                return seen
            }
        }
    }

    private func client(_ id: String) -> Client {
        Client(id: Client.ID(id), name: "N", email: "\(id)@x")
    }

    @Test func commitsAreToldWithTheirIDs() async throws {
        let store = SQLiteStore.inMemory()
        let library = Library(store)
        try await library.open()
        let changes = Changes(of: store)
        try await library.clients.create(client("a"))
        #expect(changes.take() == [StoreChange(["clients": .ids(["a"])])])
        try await library.clients.createAll([client("b"), client("c")])
        #expect(changes.take() == [StoreChange(["clients": .ids(["b", "c"])])])
        try await expectError(.recordAlreadyExists) {
            try await library.clients.createAll([client("d"), client("a")])
        }
        try await expectError(.recordNotFound) { try await library.clients.delete("x") }
        #expect(changes.take().isEmpty)
        try await library.clients.save(client("a"))
        try await library.clients.update(client("b"))
        try await library.clients.delete("c")
        #expect(
            changes.take()
                == ["a", "b", "c"].map { StoreChange(["clients": .ids([$0])]) })
        _ = try await library.clients.deleteAll()
        #expect(changes.take() == [StoreChange(["clients": .unknown])])
        try await library.reset()
        #expect(changes.take() == [.anything])
    }

    @Test func aTransactionIsToldOfOnceAndWithoutWhatWasTakenBack() async throws {
        let store = SQLiteStore.inMemory()
        let library = Library(store)
        try await library.open()
        let changes = Changes(of: store)
        let transaction = try await store.begin()
        try await transaction.create(client("a"))
        let nested = try await transaction.begin()
        try await nested.create(client("b"))
        await nested.rollBack()
        await #expect(throws: CRUDRepositoryError.self) {
            try await transaction.createAll([client("c"), client("a")])
        }
        try await transaction.create(Author(name: "A"))
        #expect(changes.take().isEmpty)
        try await transaction.commit()
        let change = try #require(changes.take().first)
        #expect(change.tables?["clients"] == .ids(["a"]))
        #expect(change.tables?["authors"] != nil)
        let other = try await store.begin()
        try await other.create(client("z"))
        await other.rollBack()
        #expect(changes.take().isEmpty)
    }

    @Test func cascadesReachOtherTables() async throws {
        let store = SQLiteStore.inMemory()
        let set = Conformance(store)
        try await set.halls.create(Hall(id: "a"))
        try await set.halls.create(Hall(id: "b"))
        let changes = Changes(of: store)
        try await set.halls.delete("a")
        let tables = changes.take().first?.tables
        #expect(tables?["halls"] == .ids(["a"]))
        #expect(tables?["links"] == .unknown)
        #expect(tables?["seats"] == .unknown)
        #expect(tables?["claims"] == .unknown)
        #expect(tables?["notes"] == nil)
    }

    @Test func statementsOfTheCallersOwnAreSeen() async throws {
        let store = SQLiteStore.inMemory()
        let library = Library(store)
        try await library.clients.create(client("a"))
        let changes = Changes(of: store)
        for _ in 0..<2 {
            try await store.sql("UPDATE CLIENTS SET name = \("M")")
            #expect(changes.take() == [StoreChange(["clients": .unknown])])
        }
        try await store.sql("SELECT * FROM clients")
        #expect(changes.take().isEmpty)
        try await store.sql(
            "CREATE TRIGGER t AFTER UPDATE ON clients BEGIN DELETE FROM loans; END")
        #expect(changes.take() == [.anything])
        try await store.sql("UPDATE CLIENTS SET name = \("M")")
        #expect(changes.take() == [StoreChange(["clients": .unknown, "loans": .unknown])])
        try await store.withConnection { _ in }
        #expect(changes.take() == [.anything])
    }

    @Test func otherProcessesMoveTheState() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let (store, other) = (SQLiteStore(path: path), SQLiteStore(path: path))
            let (library, others) = (Library(store), Library(other))
            try await library.open()
            try await others.open()
            let first = try await store.externalState()
            try await library.clients.create(client("a"))
            #expect(try await store.externalState() == first)
            try await others.clients.create(client("b"))
            let second = try await store.externalState()
            #expect(second != first)
            try await library.clients.create(client("c"))
            #expect(try await store.externalState() == second)
            #expect(try await SQLiteStore.inMemory().externalState() == nil)
        }
    }
}
