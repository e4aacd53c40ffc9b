/// What an entity is taken from in the files of another database: the key `from` of its schema.
///
/// Stores do not use it. A reader of such files does.
public struct TableSource: Sendable, Hashable {
    /// The class, or a list of a class such as `Person.pets`.
    public let name: String
    /// What fields are taken from, such as `Person.fullName`, by their paths: `name`,
    /// `address.street`.
    public let fields: [String: String]
    /// The raw values of the cases of enums by those in the files, by the paths of fields.
    public let values: [String: [String: String]]
    /// What the ids of the entities that fields refer to are taken from, such as `Person#key`,
    /// followed by a space and the namespace if there is one; by the paths of the fields.
    public let references: [String: String]
    /// The UUID of the namespace in which keys of objects become UUIDs.
    public let namespace: String?
}

extension EntityTable {
    /// Declares what the entity is taken from in the files of another database.
    ///
    /// - Parameters:
    ///   - database: the database: `realm` or `coredata`.
    ///   - name: the class, or a list of a class such as `Person.pets`.
    ///   - fields: what fields are taken from, by their paths.
    ///   - values: the raw values of the cases of enums by those in the files, by the paths of
    ///     fields.
    ///   - references: what the ids of the entities that fields refer to are taken from.
    ///   - namespace: the UUID of the namespace in which keys of objects become UUIDs.
    public mutating func source(
        _ database: String, _ name: String, fields: [String: String] = [:],
        values: [String: [String: String]] = [:], references: [String: String] = [:],
        namespace: String? = nil
    ) {
        change {
            $0.sources[database] = TableSource(
                name: name, fields: fields, values: values, references: references,
                namespace: namespace)
        }
    }
}
