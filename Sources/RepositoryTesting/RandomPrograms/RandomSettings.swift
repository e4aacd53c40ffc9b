internal import Foundation

/// What the environment says of random runs: `REPOSITORY_SEED` (0 to 2⁶⁴−1) replays a run that failed,
/// `REPOSITORY_OPERATIONS` and `REPOSITORY_QUERIES` make runs longer or shorter. Without them every run is the same.
enum RandomSettings {
    static let seed = number("REPOSITORY_SEED") ?? 20_240_229
    static let operations = Int(clamping: number("REPOSITORY_OPERATIONS") ?? 600)
    static let queries = Int(clamping: number("REPOSITORY_QUERIES") ?? 150)

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
