#if PostgreSQL
    import CrashLedger
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite(
        "PostgreSQL: programs and backends are killed", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLKillTests {
        private static let environment = ProcessInfo.processInfo.environment
        private static let isLong = environment["REPOSITORY_LONG"] == "1"
        /// The environment's `REPOSITORY_SEED` replays a run.
        private static let seed =
            environment["REPOSITORY_SEED"].flatMap { UInt64($0) } ?? 20_260_101
        /// The rounds in which programs are killed, and those in which a backend is.
        private static let rounds: (programs: Int, backends: Int) = isLong ? (110, 12) : (4, 1)

        /// Programs write batches, transactions, cascades, external data, a search index and soft
        /// deletes until they are killed, or until the server ends their connections because one of
        /// its processes was killed. A new program finds every acknowledged write, and the others
        /// whole or not at all.
        @Test(.timeLimit(.minutes(60))) func nothingAcknowledgedIsLost() async throws {
            let server = try OwnServer()
            defer { server.stop() }
            let began = ContinuousClock.now
            var random = SeededGenerator(seed: Self.seed)
            var tally = KillTally()
            let rounds = Self.rounds.programs + Self.rounds.backends
            let every = rounds / Self.rounds.backends
            var archive = KilledArchive(server, schema: "round_0", seed: Self.seed)
            for round in 0..<rounds {
                // Some programs are killed while they create the tables.
                if round % 25 == 0, round > 0 {
                    print("PostgreSQL: \(tally)")
                    archive = KilledArchive(
                        server, schema: "round_\(round)", seed: random.next())
                }
                if round % every == every - 1, tally.backends < Self.rounds.backends {
                    try await archive.killBackend(&random, &tally)
                } else {
                    try await archive.killPrograms(&random, &tally)
                }
            }
            print("PostgreSQL: \(tally), in \(ContinuousClock.now - began); seed \(Self.seed)")
            #expect(tally.problems == [])
            #expect(tally.backends == Self.rounds.backends)
            #expect(tally.kills == 2 * Self.rounds.programs && tally.acknowledged > rounds)
        }
    }
#endif
