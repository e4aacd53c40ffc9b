/// An index in the store description.
package struct StoredIndex: Sendable, Hashable, Codable {
    /// The name of the index.
    package var name: String
    /// The names of the fields, in order. A leading `-` means descending.
    package var keys: [String]
    /// Whether two records cannot have the same values.
    package var isUnique: Bool
    /// The condition for the records in the index, as text; nil if it contains all records.
    package var condition: String?
    /// The names of the fields whose strings are stored case-folded; nil if there are none, so that
    /// the description and fingerprint of such an index remain the same as in earlier versions.
    package var foldedKeys: [String]?

    /// Describes an index.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - keys: the names of the fields, with a leading `-` for descending order.
    ///   - isUnique: whether two records cannot have the same values.
    ///   - condition: the condition for the records in the index.
    ///   - foldedKeys: the names of the fields that ignore case.
    package init(
        name: String, keys: [String], isUnique: Bool, condition: StoredCondition? = nil,
        foldedKeys: [String] = []
    ) {
        self.name = name
        self.keys = keys
        self.isUnique = isUnique
        self.condition = condition?.text
        self.foldedKeys = foldedKeys.isEmpty ? nil : foldedKeys
    }

    /// Appends the index to the input of a fingerprint.
    package func write(to text: inout CanonicalText) {
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
package struct StoredCheck: Sendable, Hashable, Codable {
    /// The name of the check.
    package var name: String
    /// The condition, as text.
    package var condition: String

    /// Describes a check.
    package init(name: String, condition: StoredCondition) {
        self.name = name
        self.condition = condition.text
    }

    /// Appends the check to the input of a fingerprint.
    package func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(condition)
    }
}
