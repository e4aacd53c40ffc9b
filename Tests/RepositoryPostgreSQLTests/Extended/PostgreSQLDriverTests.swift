#if PostgreSQL
    import Foundation
    import RepositoryPostgreSQL
    import RepositoryRuntime
    import RepositorySQL
    import RepositoryTesting
    import Testing

    /// The store for any SQL database, over a driver for PostgreSQL.
    @Suite(
        "The store for any SQL database, on PostgreSQL",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLDriverTests {
        /// A behaviour of each area; all with `REPOSITORY_LONG=1`.
        private static let chosen: [StoreBehaviour] = {
            if ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" {
                return PostgreSQLBehaviourTests.chosen
            }
            return Dictionary(grouping: StoreBehaviour.all, by: \.area).values
                .compactMap { $0.min { $0.id < $1.id } }
        }()

        private static let harness = StoreHarness(
            cleanUp: { place in
                try await TestServer.run("DROP SCHEMA IF EXISTS \"\(place.name)\" CASCADE")
            }
        ) { place in
            SQLStore(
                PostgreSQLDriver(address: try TestServer.address.get(), schema: place.name),
                readers: 1, lockTimeout: .seconds(60))
        }

        @Test("Of several stores that open a new database at once, one creates the tables")
        func openingAtOnce() async throws {
            let schema = "driver-\(UUID().uuidString)"
            let stores = try (0..<4).map { _ in
                SQLStore(
                    PostgreSQLDriver(address: try TestServer.address.get(), schema: schema),
                    readers: 1, lockTimeout: .seconds(60))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        let library = Conformance(store)
                        try await library.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Conformance(stores[0]).notes.count() == 4)
            for store in stores { try await store.close() }
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test("A program that changes tables waits for the transactions that write records")
        func migrationWaitsForTransactions() async throws {
            let schema = "driver-\(UUID().uuidString)"
            let store = SQLStore(
                PostgreSQLDriver(address: try TestServer.address.get(), schema: schema),
                readers: 1, lockTimeout: .seconds(60))
            let library = Conformance(store)
            try await library.notes.create(Note(id: "a", text: ""))
            let table = "\"\(schema)\".repository_schema"
            let lock = "LOCK TABLE \(table) IN EXCLUSIVE MODE NOWAIT"
            try await library.transaction { inside in
                try await inside.notes.create(Note(id: "b", text: ""))
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await TestServer.holding(lock) {}
                }
                #expect(error?.state == "55P03")
            }
            // A write that begins meanwhile compares the description afterwards.
            let late = try await TestServer.holding(
                "\(lock); UPDATE \(table) SET revision = revision + 1, description = ''"
            ) {
                let late = Task { try await library.notes.create(Note(id: "c", text: "")) }
                while try await TestServer.number(
                    """
                    SELECT count(*) FROM pg_locks WHERE NOT granted \
                    AND relation = '\(table)'::regclass
                    """) == 0
                {
                    try await Task.sleep(for: .milliseconds(10))
                }
                return late
            }
            let error = await #expect(throws: CRUDRepositoryError.self) { try await late.value }
            #expect(error?.code == .schemaMismatch)
            #expect(try await TestServer.number("SELECT count(*) FROM \"\(schema)\".notes") == 2)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test func behaviours() async throws {
            let results = await StoreBehaviour.checkAll(Self.chosen) {
                try await $0.check(Self.harness)
            }
            for (behaviour, result) in results {
                if case .failure(let error) = result { Issue.record("\(behaviour.id): \(error)") }
            }
            print("PostgreSQL by a driver: \(results.count) behaviours")
        }
    }
#endif
