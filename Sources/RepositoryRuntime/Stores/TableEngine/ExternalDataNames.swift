/// The names of the collections and documents in which a document store saves external data.
enum ExternalDataNames {
    /// The prefix of the collections. Table names with this prefix are rejected when a schema is
    /// opened.
    static let prefix = ".external."
    /// The document that names the contents that no record may have.
    static let unsettled = "unsettled"

    /// Returns the name of the collection with the external data of a table.
    static func collection(of table: String) -> String { prefix + table }

    /// Returns the name of the collection with the external data of a table between two names.
    static func aside(of table: String) -> String { collection(of: ".aside." + table) }

    /// Returns the table of a collection of external data; nil for any other collection.
    static func table(of collection: String) -> String? {
        guard collection.utf8.starts(with: prefix.utf8) else { return nil }
        return String(collection.dropFirst(prefix.count))
    }
}
