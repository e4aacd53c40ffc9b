/// What a record is looked up by to find the value that related records determine: a reference of
/// the record, or its id.
struct RelatedKey: Sendable {
    /// The path of the key, or one for each component of an id.
    let paths: [FieldPath]
    /// The names of the components of an id; empty for a key that is one value.
    private let names: [String]

    /// Creates the key for a value of the records of a table.
    init(_ value: RelatedValue, _ table: EntityTable) {
        if case .behind(let link, _) = value, let reference = link.reference {
            (paths, names) = ([reference], [])
        } else {
            paths = table.key.map { FieldPath($0) }
            names = paths.count == 1 ? [] : table.key.map { table.layout.fields[$0].name }
        }
    }

    /// Returns the key of a record, in the encoding of references.
    func value(in record: [StoredValue]) -> StoredValue {
        if names.isEmpty { return paths[0].value(in: record) }
        let values = paths.map { $0.value(in: record) }
        return .object(Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first }))
    }
}

/// The values of a ``RelatedValue`` for the records of a query, which the runtime has looked up.
final class RelatedLookup: Sendable {
    /// What a record is looked up by.
    let key: RelatedKey
    /// The value of each key.
    private let values: [StoredValue: StoredValue]
    /// The value of all other keys.
    private let missing: StoredValue

    init(_ key: RelatedKey, _ values: [StoredValue: StoredValue], missing: StoredValue) {
        self.key = key
        self.values = values
        self.missing = missing
    }

    /// The value of a record.
    func value(in record: [StoredValue]) -> StoredValue { value(of: key.value(in: record)) }

    /// The value of a key.
    func value(of key: StoredValue) -> StoredValue { values[key] ?? missing }
}
