internal import Foundation

/// The configuration of random runs by environment variables: `REPOSITORY_SEED` (0 to 2⁶⁴−1)
/// repeats a run, `REPOSITORY_OPERATIONS` and `REPOSITORY_QUERIES` set the length. Without them,
/// every run uses the same seed.
enum RandomSettings {
    static let seed = number("REPOSITORY_SEED") ?? 20_240_229
    static let operations = Int(clamping: number("REPOSITORY_OPERATIONS") ?? 600)
    static let queries = Int(clamping: number("REPOSITORY_QUERIES") ?? 150)

    /// The value of an environment variable; nil if it is missing or not a number.
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
