/// The names of the savepoints that the store makes.
enum SQLiteSavepoint {
    /// Of a job that shares its transaction with others.
    static let job = "repository_job"
    /// Of an operation in a transaction.
    static let operation = "repository_operation"

    /// Of a transaction in a transaction.
    static func nested(_ depth: Int) -> String { "repository_nested\(depth)" }

    /// Whether a name is one of these; SQLite ignores the case of ASCII letters.
    static func isOwn(_ name: String) -> Bool {
        SQLiteCatalog.folded(name).hasPrefix("repository_")
    }
}
