/// The reason why a database cannot be imported. Nothing has been written then.
package struct ImportProblem: Error, CustomStringConvertible {
    /// The path of the database.
    package let path: String
    /// The reason, as the predicate of a sentence about the file.
    package let reason: String

    package var description: String { "\(path): error: \(reason)" }
}
