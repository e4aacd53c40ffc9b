#if PostgreSQL
    import Foundation
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
