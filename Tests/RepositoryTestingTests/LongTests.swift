import Foundation
import RepositoryTesting
import Testing

/// Random operations and queries by the hundred thousand, which `make test-long` asks for.
///
/// The seed is that of the clock unless `REPOSITORY_SEED` gives one, so that each run looks elsewhere.
@Suite("Long random runs", .enabled(if: Chosen.variable("REPOSITORY_LONG") == "1"))
struct LongTests {
    private static let seed =
        Chosen.variable("REPOSITORY_SEED").flatMap { UInt64($0) }
        ?? UInt64(Date().timeIntervalSince1970 * 1_000)
    private static let operations =
        Chosen.variable("REPOSITORY_OPERATIONS").flatMap { Int($0) } ?? 200_000
    private static let queries = Chosen.variable("REPOSITORY_QUERIES").flatMap { Int($0) } ?? 20_000

    @Test(arguments: Chosen.stores(HouseStore.all))
    func operations(_ store: HouseStore) async throws {
        try await measure("\(Self.operations) operations", store) {
            try await RandomOperations(
                harness: store.harness, seed: Self.seed, count: Self.operations
            ).check()
        }
    }

    @Test(arguments: Chosen.stores(HouseStore.all))
    func queries(_ store: HouseStore) async throws {
        try await measure("\(Self.queries) queries", store) {
            try await RandomQueries(
                harness: store.harness, seed: Self.seed, count: Self.queries
            ).check()
        }
    }

    private func measure(
        _ what: String, _ store: HouseStore, _ run: () async throws -> BehaviourOutcome
    ) async throws {
        let start = ContinuousClock.now
        let outcome = try await run()
        let seconds = (ContinuousClock.now - start).components.seconds
        switch outcome {
        case .passed:
            print(
                "long: \(store.testDescription): \(what) from seed \(Self.seed) without a difference, \(seconds) s"
            )
        case .notApplicable(let missing):
            #expect(!missing.isEmpty)
            print("long: \(store.testDescription): not asked, it declares no \(missing)")
        case .notRestricted: Issue.record("A random run refuses nothing.")
        }
    }
}
