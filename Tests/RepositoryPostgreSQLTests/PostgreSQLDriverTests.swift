#if PostgreSQL
    import Foundation
    import RepositorySQL
    import RepositoryTesting
    import Testing

    /// The store for any SQL database, over a driver for PostgreSQL.
    @Suite(
        "The store for any SQL database, on PostgreSQL",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLDriverTests {
        /// Some behaviours of each area, or all.
        private static let chosen: [StoreBehaviour] = {
            if ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" {
                return PostgreSQLBehaviourTests.chosen
            }
            return Dictionary(grouping: StoreBehaviour.all, by: \.area).values
                .flatMap { $0.sorted { $0.id < $1.id }.prefix(2) }
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
