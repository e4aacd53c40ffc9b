internal import Foundation

/// How many random operations the suite does, and from which seed.
///
/// The environment decides: `REPOSITORY_SEED` (0 to 2⁶⁴−1) replays a run that failed, `REPOSITORY_OPERATIONS` makes a
/// run longer or shorter. Without them every run is the same.
public enum RandomOperations {
    /// The seed of the run.
    public static let seed = number("REPOSITORY_SEED") ?? 20_240_229
    /// The number of operations on each store.
    public static let count = Int(clamping: number("REPOSITORY_OPERATIONS") ?? 600)

    /// What to set to see the same run again.
    static var replay: String { "REPOSITORY_SEED=\(seed) REPOSITORY_OPERATIONS=\(count)" }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
