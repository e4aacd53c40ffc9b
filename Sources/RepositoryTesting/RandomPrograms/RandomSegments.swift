internal import RepositoryRuntime

/// Divides a long random run into segments. Each has a new store and the next seed, so that stores
/// stay small.
struct RandomSegments {
    /// The number of operations or queries per store.
    static let length = 2_000

    let seed: UInt64
    let count: Int

    /// Checks a behaviour for each segment, until one does not pass.
    func check(
        _ harness: StoreHarness,
        _ behaviour: (_ seed: UInt64, _ count: Int) -> StoreBehaviour
    ) async throws -> BehaviourOutcome {
        var outcome = BehaviourOutcome.passed
        for (number, start) in stride(from: 0, to: count, by: Self.length).enumerated() {
            outcome = try await behaviour(seed &+ UInt64(number), min(Self.length, count - start))
                .check(harness)
            guard outcome == .passed else { return outcome }
        }
        return outcome
    }
}
