internal import RepositoryRuntime

/// Random queries over random records, asked of a store and of ``/RepositoryRuntime/QueryEvaluator``, which gives them
/// their meaning.
///
/// ```swift
/// @Test func queries() async throws {
///     try await RandomQueries(harness: StoreHarness { place in try MyStore(place.directory) }).check()
/// }
/// ```
/// A query that a store answers otherwise is made smaller as long as it does, and thrown with its few records as a short
/// program, with the seed that replays it.
public struct RandomQueries: Sendable {
    private let harness: StoreHarness
    private let seed: UInt64
    private let count: Int

    /// Describes a run.
    ///
    /// - Parameters:
    ///   - harness: how the store is made.
    ///   - seed: of what the run is made, the environment's `REPOSITORY_SEED` where it has one; the same seed makes the
    ///     same run.
    ///   - count: the number of queries, the environment's `REPOSITORY_QUERIES` where it has one.
    public init(harness: StoreHarness, seed: UInt64? = nil, count: Int? = nil) {
        self.harness = harness
        self.seed = seed ?? RandomSettings.seed
        self.count = count ?? RandomSettings.queries
    }

    /// Asks all queries, some thousands of a store, then of a new one with the next seed.
    ///
    /// - Throws: ``BehaviourFailure`` with the smallest query found that is answered otherwise.
    /// - Returns: whether the store was asked; the capabilities it lacks where not.
    @discardableResult
    public func check() async throws -> BehaviourOutcome {
        try await RandomSegments(seed: seed, count: count).check(harness) { seed, count in
            .randomQueries(seed: seed, count: count)
        }
    }
}
