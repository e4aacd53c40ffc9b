#if PostgreSQL
    import RepositorySQL
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "What moves with a renamed table over a driver", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLDriverMovedTableTests {
        @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
        func moved(_ scenario: MovedTables.Scenario) async throws {
            try await PostgreSQLMovedTableTests.withSchema { schema in
                try await MovedTables {
                    SQLStore(
                        PostgreSQLDriver(address: try TestServer.address.get(), schema: schema),
                        readers: 1, lockTimeout: .seconds(60))
                }.run(scenario)
            }
        }
    }
#endif
