internal import RepositoryRuntime

/// A long random run cut into pieces, each on a store of its own and with the next seed, so that no store grows for ever.
struct RandomSegments {
    /// How much one store is asked for before the next one is made.
    static let length = 2_000

    let seed: UInt64
    let count: Int

    /// Checks a behaviour for each piece, until one is not passed.
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
