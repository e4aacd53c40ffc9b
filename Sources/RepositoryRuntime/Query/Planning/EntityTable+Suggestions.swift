extension EntityTable {
    /// Returns the name of a field as the schema spells it: its property name, without the suffix
    /// `ID` for a reference.
    ///
    /// The schema's `author: Author` becomes the property `authorID`. Only a reference to one
    /// record has a `reference` in its description.
    func declaredName(ofField field: Int) -> String {
        let name = layout.fields[field].name
        guard fields[field].reference != nil, name.hasSuffix("ID") else { return name }
        return String(name.dropLast(2))
    }

    /// Whether an index can be declared over a field.
    func canIndex(_ field: Int) -> Bool {
        switch layout.fields[field].type {
        case .object, .list, .map: false
        default: true
        }
    }

    /// Returns an entry for `indexes` in the schema. The entry has an explicit name if the default
    /// name is already taken.
    ///
    /// - Parameter keys: the fields as the schema spells them, with `-` before a descending one.
    func indexEntry(_ keys: [String]) -> String {
        let names = keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        let others = indexes.filter { index in
            index.keys.map { declaredName(ofField: $0.field) } == names
        }
        let list = keys.joined(separator: ", ")
        guard let other = others.first else { return "{ fields: [\(list)] }" }
        return "{ fields: [\(list)], name: \(other.name)_\(others.count + 1) }"
    }
}
