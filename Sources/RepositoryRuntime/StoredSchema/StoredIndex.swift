/// A stored table's index.
public struct StoredIndex: Sendable, Hashable, Codable {
    /// The index's name.
    public var name: String
    /// The names of its fields in order; a leading `-` means descending.
    public var keys: [String]
    /// Whether two records may not share its values.
    public var isUnique: Bool
    /// Which records it covers, as text; nil where it covers all of them.
    public var condition: String?
    /// The names of those of its fields whose texts it holds folded; nil where there are none, so that the description of
    /// an index without them is what it always was.
    public var foldedKeys: [String]?

    init(_ index: TableIndex, _ table: EntityTable) {
        let layout = table.layout
        let folded = index.keys.map(\.field).filter(table.ignoresCase)
        foldedKeys = folded.isEmpty ? nil : folded.map { layout.fields[$0].name }
        name = index.name
        keys = index.keys.map { ($0.descending ? "-" : "") + layout.fields[$0.field].name }
        isUnique = index.isUnique
        condition = index.condition?.storedText(in: layout)
    }

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

/// A stored table's check. Its message is no matter of stored data.
public struct StoredCheck: Sendable, Hashable, Codable {
    /// The check's name.
    public var name: String
    /// What holds of every record that is written, as text.
    public var condition: String

    init(_ check: TableCheck, layout: FieldLayout) {
        name = check.name
        condition = check.condition.storedText(in: layout)
    }

    func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(condition)
    }
}
