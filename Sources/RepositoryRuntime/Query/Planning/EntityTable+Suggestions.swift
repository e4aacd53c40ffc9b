extension EntityTable {
    /// The name of a field in the schema: that of its property, where it is a reference without the ending of the id.
    ///
    /// `author: Author` becomes the property `authorID`, and nothing but a reference to one record is described as one.
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

    /// An entry of `indexes` in the schema, with a name of its own where the usual one is taken.
    ///
    /// - Parameter keys: its fields as the schema names them, `-` before a descending one.
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
