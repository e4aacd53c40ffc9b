/// The names of the store's own savepoints.
enum SQLiteSavepoint {
    /// The savepoint of a job that shares its transaction with other jobs.
    static let job = "repository_job"
    /// The savepoint of an operation in a transaction.
    static let operation = "repository_operation"

    /// Returns the savepoint of a nested transaction.
    static func nested(_ depth: Int) -> String { "repository_nested\(depth)" }

    /// Returns whether a name has the prefix of these names. SQLite ignores the case of ASCII
    /// letters.
    static func isOwn(_ name: String) -> Bool {
        SQLiteCatalog.folded(name).hasPrefix("repository_")
    }
}
