internal import ArgumentParser

/// The exit status of a command.
enum ExitStatus: Int32, Sendable {
    /// The command succeeded.
    case success = 0
    /// `generate` or `release` did not overwrite a file, or `check` found a difference.
    case drift = 1
    /// The schemas have errors.
    case schemaErrors = 2
    /// A file cannot be read or written.
    case unreadable = 3
    /// `check --released` found that the schema differs from its last released version.
    case unreleased = 4

    /// Throws the error that ends the program with this status, unless it is ``success``.
    func throwExit() throws {
        if self != .success { throw ExitCode(rawValue) }
    }
}
