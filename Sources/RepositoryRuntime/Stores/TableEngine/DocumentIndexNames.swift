/// The names of what indexes keep in documents.
enum DocumentIndexNames {
    /// What the collections of indexes begin with; no table's name does.
    static let prefix = ".index."
    /// The document that says what the indexes cover.
    static let state = "state"
    /// The document that says which rewriting of the table's records has happened.
    static let rewriting = "rewriting"

    /// The collection of the indexes of a table.
    static func collection(of table: String) -> String { prefix + table }

    /// The table of a collection of indexes; nil for any other collection.
    static func table(of collection: String) -> String? {
        guard collection.utf8.starts(with: prefix.utf8) else { return nil }
        return String(collection.dropFirst(prefix.count))
    }

    /// The document of an index's directory.
    static func directory(_ index: Int) -> String { "\(index)" }

    /// The document of a page of an index.
    static func page(_ index: Int, _ number: Int) -> String { "\(index)-\(number)" }
}
