/// The names of the collections and documents in which a document store saves indexes.
enum DocumentIndexNames {
    /// The prefix of the collections of indexes. Table names with this prefix are rejected when a
    /// schema is opened.
    static let prefix = ".index."
    /// The document that records what the indexes cover.
    static let state = "state"
    /// The document that records which rewrite of the table's records has happened.
    static let rewriting = "rewriting"

    /// Returns the name of the collection that holds the indexes of a table.
    static func collection(of table: String) -> String { prefix + table }

    /// Returns the table of an index collection; nil for any other collection.
    static func table(of collection: String) -> String? {
        guard collection.utf8.starts(with: prefix.utf8) else { return nil }
        return String(collection.dropFirst(prefix.count))
    }

    /// Returns the name of the document with the directory of an index.
    static func directory(_ index: Int) -> String { "\(index)" }

    /// Returns the name of the document with a page of an index.
    static func page(_ index: Int, _ number: Int) -> String { "\(index)-\(number)" }
}
