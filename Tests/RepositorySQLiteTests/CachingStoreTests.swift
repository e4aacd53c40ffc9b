import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Synchronization
import Testing

/// Caches over SQLite.
@Suite struct CachingStoreTests {
    private func client(_ number: Int, _ name: String = "name") -> Client {
        Client(id: Client.ID("client \(number)"), name: name, email: "\(number)@x")
    }

    @Test func whatWasReadIsKeptUntilACommit() async throws {
        try await withFolder { folder in
            let cache = try SQLiteStore(path: folder + "/data.sqlite").caching()
            let library = Library(cache)
            try await library.clients.createAll((0..<10).map { client($0) })
            let named = Query<Client>.where { $0.name == "name" }.allowingFullScan()
            for _ in 0..<3 {
                #expect(try await library.clients.read("client 1").name == "name")
                #expect(try await library.clients.fetch(named).count == 10)
                #expect(try await library.clients.count(named) == 10)
                #expect(try await library.clients.ids().count == 10)
            }
            let before = cache.statistics
            #expect(before.hits >= 8 && before.size >= 12, "\(before)")
            try await library.clients.update(client(1, "other"))
            #expect(try await library.clients.read("client 1").name == "other")
            #expect(try await library.clients.fetch(named).count == 9)
            try await library.transaction { library in
                try await library.clients.update(client(2, "other"))
                #expect(try await library.clients.read("client 2").name == "other")
            }
            #expect(try await library.clients.read("client 2").name == "other")
            try await library.close()
            await #expect(throws: CRUDRepositoryError.self) {
                try await library.clients.read("client 1")
            }
        }
    }

    @Test func commitsOfOtherStoresAreSeen() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(try SQLiteStore(path: path).caching())
            let other = Library(SQLiteStore(path: path))
            try await library.clients.create(client(1))
            for number in 0..<50 {
                try await other.clients.update(client(1, "name \(number)"))
                #expect(try await library.clients.read("client 1").name == "name \(number)")
                #expect(
                    try await library.clients.count(
                        .where { $0.name == "name \(number)" }.allowingFullScan()) == 1)
            }
        }
    }

    @Test func memoryIsBounded() async throws {
        try await withFolder { folder in
            let cache = try SQLiteStore(path: folder + "/data.sqlite").caching(limit: 20)
            let library = Library(cache)
            try await library.clients.createAll((0..<100).map { client($0) })
            for number in 0..<100 {
                _ = try await library.clients.read(Client.ID("client \(number)"))
                #expect(cache.statistics.size <= 20)
            }
            // What does not fit is read from the store each time.
            let misses = cache.statistics.misses
            for _ in 0..<2 { #expect(try await library.clients.fetch().count == 100) }
            #expect(cache.statistics.misses > misses)
            #expect(cache.statistics.size <= 20)
            // The last ones are still there.
            let hits = cache.statistics.hits
            _ = try await library.clients.read("client 99")
            #expect(cache.statistics.hits == hits + 1)
        }
    }

    @Test func anAgeDoesWithoutTheQuestion() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let start = ContinuousClock.now
            let passed = Mutex(Duration.zero)
            let cache = try CachingStore(
                SQLiteStore(path: path), maximumAge: .seconds(10),
                now: { passed.withLock { start + $0 } })
            let (library, other) = (Library(cache), Library(SQLiteStore(path: path)))
            try await library.clients.create(client(1, "old"))
            #expect(try await library.clients.read("client 1").name == "old")
            try await other.clients.update(client(1, "new"))
            passed.withLock { $0 = .seconds(9) }
            #expect(try await library.clients.read("client 1").name == "old")
            passed.withLock { $0 = .seconds(11) }
            #expect(try await library.clients.read("client 1").name == "new")
            // Commits through the same store are noticed at once.
            try await library.clients.update(client(1, "newest"))
            #expect(try await library.clients.read("client 1").name == "newest")
        }
    }

    @Test func aStoreThatCannotTellHasNoCache() throws {
        for store: any EntityStore in [InMemoryStore(), SQLiteStore.inMemory()] {
            let error = #expect(throws: CRUDRepositoryError.self) { try store.caching() }
            #expect(error?.code == .unsupported)
            _ = try store.caching(maximumAge: .seconds(1))
        }
    }

    @Test func answersAreThoseOfTheStoreWhileAnotherProcessWrites() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let seed = UInt64.random(in: 0 ..< .max)
            let store = SQLiteStore(path: path)
            let (cached, plain) = (Library(try store.caching(limit: 40)), Library(store))
            try await plain.open()
            let other = try FollowingProcess(
                "sqlite-process", [path, "follow", "\(seed)"])
            for round in 0..<150 {
                try other.write(round % 3)
                if round % 7 == 0 { try await plain.clients.save(client(round % 8, "own")) }
                for _ in 0..<2 {
                    for number in 0..<8 {
                        let id = Client.ID("client \(number)")
                        #expect(
                            try await cached.clients.exists(id) == plain.clients.exists(id),
                            "seed \(seed), round \(round)")
                    }
                    let query = Query<Client>.where { $0.name > "name 1" }.sorted(by: \.name)
                        .allowingFullScan()
                    #expect(
                        try await cached.clients.fetch(query) == plain.clients.fetch(query),
                        "seed \(seed), round \(round)")
                    #expect(try await cached.clients.fetch() == plain.clients.fetch())
                }
            }
            try other.end()
        }
    }
}

/// A process that writes as often as it is told.
struct FollowingProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ name: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Has the process make some writes, and waits for them.
    func write(_ count: Int) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(count)\n".utf8))
        var line = Data()
        while !line.contains(0x0A) {
            let part = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
            try #require(!part.isEmpty, "The process has ended.")
            line += part
        }
        try #require(String(decoding: line, as: UTF8.self) == "done\n")
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
