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
    /// The names of the fields whose strings are stored case-folded; nil if there are none.
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

    /// Replaces the names of fields, and the beginnings of paths inside values, by others.
    ///
    /// - Parameter names: The new names by path; `shelf` also changes `shelf.room`.
    package mutating func rename(_ names: [String: String]) {
        guard !names.isEmpty else { return }
        foldedKeys = foldedKeys?.map { Self.renamed($0, names) }
        keys = keys.map {
            $0.hasPrefix("-")
                ? "-" + Self.renamed(String($0.dropFirst()), names) : Self.renamed($0, names)
        }
    }

    /// Returns the path after the longest beginning that has a new name was replaced.
    private static func renamed(_ path: String, _ names: [String: String]) -> String {
        var steps = path.split(separator: ".", omittingEmptySubsequences: false)[...]
        var rest: [Substring] = []
        while let last = steps.last {
            let start = steps.joined(separator: ".")
            // A dictionary takes canonically equivalent names for the same.
            if let place = names.index(forKey: start), UTF8Order.areEqual(names[place].key, start) {
                return ([names[place].value] + rest.map(String.init)).joined(separator: ".")
            }
            rest.insert(last, at: 0)
            steps.removeLast()
        }
        return path
    }

    /// Whether a key is a field, or lies inside it.
    package func contains(field name: String) -> Bool {
        keys.contains { key in
            let path = key.hasPrefix("-") ? key.dropFirst() : key[...]
            return UTF8Order.areEqual(String(path.prefix { $0 != "." }), name)
        }
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

extension StoredTable {
    /// Whether an index contains an encrypted field. In SQL stores, it contains hashes.
    package func encryptsKey(of index: StoredIndex) -> Bool {
        fields.contains { $0.isEncrypted && index.contains(field: $0.name) }
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
