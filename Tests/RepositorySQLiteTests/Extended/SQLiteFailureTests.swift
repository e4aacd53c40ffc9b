import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// How many calls have ended.
private final class Count: Sendable {
    let number = Atomic(0)
}

/// What a database does whose disk is full or whose lock somebody else holds.
@Suite struct SQLiteFailureTests {
    private func client(_ id: String, size: Int = 3_000) -> Client {
        Client(
            id: Client.ID(id), name: "N", email: "\(id)@x",
            address: Address(street: String(repeating: "s", count: size), city: "C"))
    }

    /// Lets the file grow by so many pages at most; nil lifts the limit.
    private func limit(_ store: SQLiteStore, _ pages: Int?) async throws {
        try await store.database.write(.bare) { connection in
            guard let pages else {
                return try connection.execute("PRAGMA max_page_count = 1000000")
            }
            let count = try connection.statement("PRAGMA page_count")
            defer { count.reset() }
            guard try count.step() else { return }
            let limit = Int(count.integer(at: 0)) + pages
            count.reset()
            try connection.execute("PRAGMA max_page_count = \(limit)")
        }
    }

    /// A full disk: each write that does not fit throws and leaves nothing, those before it are there, and when there is
    /// room again the store works on.
    @Test(arguments: [0, 1, 2, 5, 9, 20])
    func fullDisk(_ pages: Int) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let library = Library(store)
            try await library.clients.create(client("first"))
            try await limit(store, pages)
            var stored: Set<String> = ["first"]
            var refused = 0
            for number in 0..<30 {
                let batch = (0..<3).map { client("\(number)-\($0)") }
                do {
                    if number % 3 == 0 {
                        try await library.clients.createAll(batch)
                        stored.formUnion(batch.map(\.id.rawValue))
                    } else {
                        try await library.clients.create(batch[0])
                        stored.insert(batch[0].id.rawValue)
                    }
                } catch let error as CRUDRepositoryError {
                    #expect(error.code == .databaseError, "\(error)")
                    refused += 1
                }
                #expect(Set(try await library.clients.ids().map(\.rawValue)) == stored)
            }
            #expect(refused > 0)
            let other = Library(SQLiteStore(path: path))
            #expect(Set(try await other.clients.ids().map(\.rawValue)) == stored)
            #expect(try PlainDatabase(path).value("PRAGMA integrity_check") == "ok")

            // What is deleted makes room.
            try await library.clients.delete("first")
            try await limit(store, nil)
            try await library.clients.create(client("last"))
            #expect(try await other.clients.exists("last"))
        }
    }

    /// Tasks whose writes share a commit on a full disk: each is told the truth.
    @Test func fullDiskInGroups() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.open()
            try await limit(store, 30)
            let stored = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await library.clients.create(
                                client("\(number)", size: 1 + number * 20))
                            return "\(number)"
                        } catch let error as CRUDRepositoryError {
                            #expect(error.code == .databaseError, "\(error)")
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: Set<String>()) { stored, id in
                    if let id { stored.insert(id) }
                }
            }
            #expect(!stored.isEmpty && stored.count < 200)
            let found = try await library.clients.ids()
            #expect(Set(found.map(\.rawValue)) == stored)
        }
    }

    /// A timer ticks while far more writes than Swift's pool has threads wait for a lock that another connection holds.
    @Test func blocking() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            // Other tests may keep the timer from ticking for minutes.
            let library = Library(SQLiteStore(path: path, busyTimeout: .seconds(3_600)))
            try await library.open()
            let other = try PlainDatabase(path)
            try other.run("BEGIN IMMEDIATE")
            let finished = Count()
            let tickedBefore = try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask { @concurrent in
                        let client = client("\(number)")
                        if number % 2 == 0 {
                            try await library.clients.create(client)
                        } else {
                            _ = try await library.clients.createAll([client])
                        }
                        finished.number.add(1, ordering: .relaxed)
                    }
                }
                for _ in 0..<100 {
                    try await Task.sleep(for: .milliseconds(1))
                    _ = try await library.clients.count()
                }
                let finished = finished.number.load(ordering: .relaxed)
                try other.run("COMMIT")
                try await group.waitForAll()
                return finished
            }
            #expect(tickedBefore == 0)
            #expect(try await library.clients.count() == 64)
        }
    }
}
