/// An index in the store description.
public struct StoredIndex: Sendable, Hashable, Codable {
    /// The name of the index.
    public var name: String
    /// The names of the fields, in order. A leading `-` means descending.
    public var keys: [String]
    /// Whether two records cannot have the same values.
    public var isUnique: Bool
    /// The condition for the records in the index, as text; nil if it contains all records.
    public var condition: String?
    /// The names of the fields whose strings are stored case-folded; nil if there are none, so that
    /// the description and fingerprint of such an index remain the same as in earlier versions.
    public var foldedKeys: [String]?

    /// Describes a declared index.
    init(_ index: TableIndex, _ table: EntityTable) {
        let layout = table.layout
        let folded = index.keys.map(\.field).filter(table.ignoresCase)
        foldedKeys = folded.isEmpty ? nil : folded.map { layout.fields[$0].name }
        name = index.name
        keys = index.keys.map { ($0.descending ? "-" : "") + layout.fields[$0.field].name }
        isUnique = index.isUnique
        condition = index.condition?.storedText(in: layout)
    }

    /// Appends the index to the input of a fingerprint.
    func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(keys) { $0.add($1) }
        text.add(isUnique)
        if let condition {
            text.add("where")
            text.add(condition)
        }
        if let foldedKeys {
            text.add("folded")
            text.add(foldedKeys) { $0.add($1) }
        }
    }
}

/// A check in the store description, without its message, which does not affect stored data.
public struct StoredCheck: Sendable, Hashable, Codable {
    /// The name of the check.
    public var name: String
    /// The condition, as text.
    public var condition: String

    /// Describes a declared check.
    init(_ check: TableCheck, layout: FieldLayout) {
        name = check.name
        condition = check.condition.storedText(in: layout)
    }

    /// Appends the check to the input of a fingerprint.
    func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(condition)
    }
}
