/// A file that cannot be read or written.
struct FileProblem: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): error: \(reason)" }
}
