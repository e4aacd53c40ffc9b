/// A file or folder that cannot be read or written. It ends a command with
/// ``ExitStatus/unreadable``.
struct FileProblem: Error, CustomStringConvertible {
    /// The path, possibly followed by a line and a column.
    let path: String
    /// The reason, as the predicate of a message.
    let reason: String

    var description: String { "\(path): error: \(reason)" }
}
