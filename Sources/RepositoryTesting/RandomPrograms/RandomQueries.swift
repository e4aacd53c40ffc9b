internal import RepositoryRuntime

/// Executes random queries over random records on a store, and compares the results with those of
/// `QueryEvaluator`, which defines the semantics of queries.
///
/// ```swift
/// @Test func queries() async throws {
///     let harness = StoreHarness { place in try MyStore(place.directory) }
///     try await RandomQueries(harness: harness).check()
/// }
/// ```
///
/// A query with a different result is shrunk. The error contains the shrunk query and its records
/// as a short program, and the seed with which the run can be repeated.
public struct RandomQueries: Sendable {
    private let harness: StoreHarness
    private let seed: UInt64
    private let count: Int

    /// Creates a test.
    ///
    /// - Parameters:
    ///   - harness: creates the store.
    ///   - seed: the seed of the random numbers. The default is the environment variable
    /// `REPOSITORY_SEED`, or a constant. Equal seeds give equal runs.
    ///   - count: the number of queries. The default is the environment variable
    /// `REPOSITORY_QUERIES`, or a constant.
    public init(harness: StoreHarness, seed: UInt64? = nil, count: Int? = nil) {
        self.harness = harness
        self.seed = seed ?? RandomSettings.seed
        self.count = count ?? RandomSettings.queries
    }

    /// Executes the queries. Every few thousand queries it continues with a new store and the next
    /// seed.
    ///
    /// - Throws: ``BehaviourFailure`` with the smallest query found that has a different result.
    /// - Returns: whether the test applies to the store, with the missing capabilities if it does
    ///   not.
    @discardableResult
    public func check() async throws -> BehaviourOutcome {
        try await RandomSegments(seed: seed, count: count).check(harness) { seed, count in
            .randomQueries(seed: seed, count: count)
        }
    }
}
