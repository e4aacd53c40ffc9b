internal import RepositoryRuntime

/// Random operations on every table, done on a store and on the plainest store that keeps the contract, with every outcome
/// compared.
///
/// A run that differs is made smaller as long as it does, and thrown as a short program, with the seed that replays it.
public struct RandomOperations: Sendable {
    private let harness: StoreHarness
    private let seed: UInt64
    private let count: Int

    /// Describes a run.
    ///
    /// - Parameters:
    ///   - harness: how the store is made.
    ///   - seed: of what the run is made, the environment's `REPOSITORY_SEED` where it has one; the same seed makes the
    ///     same run.
    ///   - count: the number of operations, the environment's `REPOSITORY_OPERATIONS` where it has one.
    public init(harness: StoreHarness, seed: UInt64? = nil, count: Int? = nil) {
        self.harness = harness
        self.seed = seed ?? RandomSettings.seed
        self.count = count ?? RandomSettings.operations
    }

    /// Does all operations, some thousands on a store, then on a new one with the next seed.
    ///
    /// - Throws: ``BehaviourFailure`` with the smallest run found that differs.
    /// - Returns: whether the store was asked; the capabilities it lacks where not.
    @discardableResult
    public func check() async throws -> BehaviourOutcome {
        try await RandomSegments(seed: seed, count: count).check(harness) { seed, count in
            .randomOperations(seed: seed, count: count)
        }
    }
}
