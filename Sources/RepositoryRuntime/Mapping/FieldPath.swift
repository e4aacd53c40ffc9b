/// The path of a value in a record: a field, and the names of members of embedded values and keys
/// of maps inside it.
public struct FieldPath: Sendable, Hashable {
    /// The field's index in the layout of the entity.
    public let field: Int
    /// The names inside the field, outermost first; empty for the field itself.
    public let names: [String]
    /// Whether strings at this path are case-folded, because the field is declared to ignore case.
    package var ignoresCase = false

    /// Creates a path.
    public init(_ field: Int, _ names: [String] = []) {
        self.field = field
        self.names = names
    }

    /// Returns the value at this path; null if an embedded value or a key on the path is missing.
    ///
    /// - Parameter record: the field values of the record, by field index.
    public func value(in record: [StoredValue]) -> StoredValue {
        guard record.indices.contains(field) else { return .null }
        var value = record[field]
        for name in names {
            // Dictionaries compare keys by canonical equivalence. Names are compared by their
            // bytes.
            guard case .object(let object) = value, let place = object.index(forKey: name),
                String.isSameIdentifier(object[place].key, name)
            else { return .null }
            value = object[place].value
        }
        return ignoresCase ? value.caseFolded : value
    }

    /// Returns the path in the notation of conditions: `shelf.room`.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String {
        let name = layout.fields.indices.contains(field) ? layout.fields[field].name : "?"
        return ([name] + names).joined(separator: ".")
    }
}

extension FieldPath {
    /// Whether both paths lead to the same value. Case folding is ignored.
    public static func == (left: Self, right: Self) -> Bool {
        left.field == right.field && left.names == right.names
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(names)
    }
}
