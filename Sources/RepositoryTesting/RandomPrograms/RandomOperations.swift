internal import RepositoryRuntime

/// Executes random operations on all tables of a store and of a simple reference implementation,
/// and compares every outcome.
///
/// A sequence with different outcomes is shrunk. The error contains the shrunk sequence as a short
/// program, and the seed with which the run can be repeated.
public struct RandomOperations: Sendable {
    private let harness: StoreHarness
    private let seed: UInt64
    private let count: Int

    /// Creates a test.
    ///
    /// - Parameters:
    ///   - harness: creates the store.
    ///   - seed: the seed of the random numbers. The default is the environment variable
    /// `REPOSITORY_SEED`, or a constant. Equal seeds give equal runs.
    ///   - count: the number of operations. The default is the environment variable
    /// `REPOSITORY_OPERATIONS`, or a constant.
    public init(harness: StoreHarness, seed: UInt64? = nil, count: Int? = nil) {
        self.harness = harness
        self.seed = seed ?? RandomSettings.seed
        self.count = count ?? RandomSettings.operations
    }

    /// Executes the operations. Every few thousand operations it continues with a new store and the
    /// next seed.
    ///
    /// - Throws: ``BehaviourFailure`` with the smallest sequence found that has different outcomes.
    /// - Returns: whether the test applies to the store, with the missing capabilities if it does
    ///   not.
    @discardableResult
    public func check() async throws -> BehaviourOutcome {
        try await RandomSegments(seed: seed, count: count).check(harness) { seed, count in
            .randomOperations(seed: seed, count: count)
        }
    }
}
