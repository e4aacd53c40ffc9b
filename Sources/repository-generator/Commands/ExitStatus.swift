internal import ArgumentParser

/// How a command ended.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// `generate` refused to touch a file, or `check` found a difference.
    case drift = 1
    /// The schemas have errors.
    case schemaErrors = 2
    /// A file cannot be read or written.
    case unreadable = 3

    /// Ends the program with the status, unless all is well.
    func throwExit() throws {
        if self != .success { throw ExitCode(rawValue) }
    }
}
