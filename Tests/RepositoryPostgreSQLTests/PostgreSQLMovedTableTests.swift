#if PostgreSQL
    import Foundation
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// External data and indexes of tables that get other names.
    @Suite(
        "What moves with a renamed table of PostgreSQL", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLMovedTableTests {
        /// Runs a body with the name of a schema, which is dropped afterwards.
        static func withSchema(_ body: (String) async throws -> Void) async throws {
            let schema = "moved-\(UUID().uuidString)"
            let drop = "DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE"
            do {
                try await body(schema)
            } catch {
                try await TestServer.run(drop)
                throw error
            }
            try await TestServer.run(drop)
        }

        @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
        func moved(_ scenario: MovedTables.Scenario) async throws {
            try await Self.withSchema { schema in
                try await MovedTables {
                    try TestServer.store(schema, connections: 2)
                }
                .run(scenario)
            }
        }
    }
#endif
