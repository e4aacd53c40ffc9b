#if PostgreSQL
    import Foundation
    import Generated
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite(
        "Versions of a schema on PostgreSQL", .timeLimit(.minutes(60)),
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLMigrationTests {
        @Test(arguments: StoreBehaviour.migrations)
        func behaviours(_ behaviour: StoreBehaviour) async throws {
            let outcome = try await behaviour.check(TestServer.harness)
            guard case .passed = outcome else {
                Issue.record("It does not apply: \(outcome)")
                return
            }
        }

        private static let seeds =
            0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 40 : 4)

        @Test("Tables and fields get other names", arguments: seeds)
        func moves(_ seed: Int) async throws {
            try await Moves(TestServer.harness, hasExternalData: true).check(seed: seed)
        }

        @Test("The versions of the library migrate")
        func library() async throws {
            let report = try await checkMigrations(
                Library.self, stores: [TestServer.harness], records: 30)
            #expect(report.versions == [1, 2, 3])
            #expect(report.stores.count == 1)
            #expect(report.calls > 0)
        }
    }
#endif
