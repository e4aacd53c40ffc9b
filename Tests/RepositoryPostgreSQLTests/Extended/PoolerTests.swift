#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// PgBouncer in transaction mode, before the server of the tests. It ends with the process.
    enum TestPooler {
        static let address: Result<String, TestServer.NoServer> = {
            guard case .success(let server) = TestServer.address, let port = TestServer.port else {
                return .failure(TestServer.NoServer(reason: "There is no PostgreSQL server."))
            }
            return TestServer.run(script: "pgbouncer-server", ["\(port)"]).map { started in
                running.withLock { $0 = started }
                return server.replacing(":\(port)", with: ":\(started.address)")
            }
        }()
        private static let running = Mutex<(Process, Pipe, address: String)?>(nil)

        static var isAvailable: Bool {
            if case .success = address { true } else { false }
        }
        static var reason: Comment {
            if case .failure(let failure) = address { return Comment(rawValue: failure.reason) }
            return "There is a pooler."
        }

        static func store(
            _ schema: String, exactlyOnce: Bool = false, observing: Bool = false
        ) throws -> PostgreSQLStore {
            PostgreSQLStore(
                try address.get(), schema: schema, connections: 6, waitTimeout: .seconds(600),
                lockTimeout: .seconds(600), exactlyOnce: exactlyOnce, observing: observing)
        }
    }

    @Suite(
        "PostgreSQL: through PgBouncer in transaction mode", .serialized,
        .enabled(
            if: ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1",
            "It takes minutes: `make test-long` runs it."),
        .enabled(if: TestPooler.isAvailable, TestPooler.reason))
    struct PoolerTests {
        private static let harness = StoreHarness(
            damage: TestServer.harness.damage, cleanUp: TestServer.harness.cleanUp
        ) { place in try TestPooler.store(place.name) }

        /// What is run without `REPOSITORY_LONG=1`.
        private static let areas: Set = [
            "assigned", "batches", "finders", "records", "references", "transactions", "unique",
            "updates", "upkeep",
        ]

        @Test func behaviours() async throws {
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let chosen = StoreBehaviour.all.filter { isLong || Self.areas.contains($0.area) }
            let passed = await checkAll(chosen, Self.harness)
            print("PostgreSQL through PgBouncer: \(passed) of \(chosen.count) behaviours passed")
            #expect(passed > chosen.count / 2)
        }

        /// The session of one client is that of another one afterwards: statements of the same name,
        /// and the schemas of the clients, must not be mixed up.
        @Test func clientsDoNotGetEachOthersStatements() async throws {
            let names = (0..<12).map { "pooled-\($0)-\(UUID().uuidString)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask {
                        let store = try TestPooler.store(name)
                        let library = Conformance.plain(store, fullScans: .allow)
                        for number in 0..<20 {
                            let id = Note.ID("\(number)")
                            try await library.notes.create(Note(id: id, text: name))
                            #expect(try await library.notes.read(id).text == name)
                            let found = try await library.notes.fetch(
                                .where { $0.text == name }.limit(100))
                            #expect(found.count == number + 1)
                            try await library.transaction { library in
                                try await library.notes.save(Note(id: id, text: name))
                                #expect(try await library.notes.count() == number + 1)
                            }
                        }
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
            for name in names { try await TestServer.run("DROP SCHEMA \"\(name)\" CASCADE") }
        }

        @Test func sessionsAreLeftAsTheyAre() async throws {
            let schema = "pooled-\(UUID().uuidString)"
            let store = try TestPooler.store(schema, exactlyOnce: true, observing: true)
            let library = Conformance.plain(store)
            try await library.notes.create(Note(id: "a", text: ""))
            #expect(try await store.access.leasing { $0.isPooled })
            #expect(try await store.sql("SELECT * FROM notes").count == 1)
            #expect(try await store.execute("UPDATE notes SET text = \("b")") == 1)
            for text in [
                "SET search_path TO public", "PREPARE a AS SELECT 1",
                "SELECT set_config('search_path', '', false)", "LISTEN a",
            ] {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.sql("\(raw: text)")
                }
                #expect(error?.code == .unsupported, "\(text)")
            }
            let lent = await #expect(throws: CRUDRepositoryError.self) {
                try await store.withConnection { _ in }
            }
            #expect(lent?.code == .unsupported)
            let explained = try await library.notes.explain(.where { $0.text == "b" })
            #expect(!explained.description.isEmpty)
            // Each session of the server has the settings of the server, and nothing prepared.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let row = try await store.access.leasing { connection in
                            try await connection.runPipeline([
                                .init(
                                    text:
                                        "SELECT current_setting('search_path'), (SELECT count(*) FROM pg_prepared_statements WHERE from_sql)::bigint, pg_sleep(0.01)"
                                )
                            ])
                        }
                        #expect(row[0].text(0, 0) == "\"$user\", public")
                        #expect(row[0].integer(0, 1) == 0)
                    }
                }
                try await group.waitForAll()
            }
            // Observers poll, because no session listens.
            let other = try TestPooler.store(schema, observing: true)
            store.changes.externalWatch = ExternalWatch(every: .milliseconds(5))
            var iterator = library.notes.observe().makeAsyncIterator()
            #expect(try await iterator.next()?.count == 1)
            try await Conformance.plain(other).notes.create(Note(id: "b", text: ""))
            #expect(try await iterator.next()?.count == 2)
            try await other.close()
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }
#endif
