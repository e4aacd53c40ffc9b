/// The names of the collections in which a migration keeps new documents beside the stored ones,
/// until it puts them in place.
enum BesideNames {
    /// The prefix of the collections. Table names with this prefix are rejected when a schema is
    /// opened.
    static let prefix = ".beside."
    private static let newPrefix = prefix + "new."
    private static let gonePrefix = prefix + "gone."

    /// Returns the name of the collection with the new documents of a table.
    static func new(_ table: String) -> String { newPrefix + table }

    /// Returns the name of the collection with an empty document for each document of a table that
    /// the migration drops.
    static func gone(_ table: String) -> String { gonePrefix + table }

    /// Returns whether a name is that of a collection beside the stored ones.
    static func isBeside(_ collection: String) -> Bool {
        collection.utf8.starts(with: prefix.utf8)
    }

    /// The kinds of the collections.
    static let kinds = ["new", "gone"]

    /// Returns the kind of a collection and its table; nil for any other collection.
    static func parts(of collection: String) -> (kind: String, table: String)? {
        for (kind, prefix) in zip(kinds, [newPrefix, gonePrefix])
        where collection.utf8.starts(with: prefix.utf8) {
            return (kind, String(collection.dropFirst(prefix.count)))
        }
        return nil
    }
}
