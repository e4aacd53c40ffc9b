/// The place of a value in a record: a field, and the names that lead down from it into embedded values and maps.
public struct FieldPath: Sendable, Hashable {
    /// The field's index in the layout of the entity.
    public let field: Int
    /// The names within the field, outermost first; empty for the field itself.
    public let names: [String]
    /// Whether a text at this place is taken folded, because its field is declared to ignore case.
    package var ignoresCase = false

    /// Makes a path.
    public init(_ field: Int, _ names: [String] = []) {
        self.field = field
        self.names = names
    }

    /// The value at this place of a record; null where an embedded value or a key on the way is missing.
    ///
    /// - Parameter record: the fields of the record, by index.
    public func value(in record: [StoredValue]) -> StoredValue {
        guard record.indices.contains(field) else { return .null }
        var value = record[field]
        for name in names {
            // A dictionary takes two Unicode forms of a key for one; names go by their bytes, as all text does.
            guard case .object(let object) = value, let place = object.index(forKey: name),
                String.isSameIdentifier(object[place].key, name)
            else { return .null }
            value = object[place].value
        }
        return ignoresCase ? value.caseFolded : value
    }

    /// The path as a condition in a schema writes it: `shelf.room`.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String {
        let name = layout.fields.indices.contains(field) ? layout.fields[field].name : "?"
        return ([name] + names).joined(separator: ".")
    }
}

extension FieldPath {
    /// Whether both lead to the same place, whatever is done to the value there.
    public static func == (left: Self, right: Self) -> Bool {
        left.field == right.field && left.names == right.names
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(names)
    }
}
