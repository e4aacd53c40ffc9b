internal import StoredSchema

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

    /// Returns a path as the schema spells it: `author`, or `shelf.room` inside an embedded value.
    func declaredName(of path: FieldPath) -> String {
        ([declaredName(ofField: path.field)] + path.names).joined(separator: ".")
    }

    /// Whether an index can be declared over a path. Inside embedded values, the types that a
    /// database keeps in JSON as it compares them can be indexed; keys of maps cannot, and what is
    /// inside an encrypted field. The index over an encrypted field has no other field.
    func canIndex(_ path: FieldPath) -> Bool {
        if fields[path.field].isEncrypted, !path.names.isEmpty { return false }
        var type = layout.fields[path.field].type
        for name in path.names {
            guard case .object(let inner) = type,
                let field = inner.fields.first(where: { $0.name == name }),
                field.renamedFrom.isEmpty, field.defaultValue ?? .null == .null
            else { return false }
            type = field.type
        }
        switch type {
        case .object, .list, .map: return false
        default: return path.names.isEmpty || type.base?.kind.isExactInJSON ?? false
        }
    }

    /// Returns an entry for `indexes` in the schema. The entry has an explicit name if the default
    /// name is already taken.
    ///
    /// - Parameter keys: the fields as the schema spells them, with `-` before a descending one.
    func indexEntry(_ keys: [String]) -> String {
        let names = keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        let others = indexes.filter { index in
            index.keys.map { declaredName(of: $0.path) } == names
        }
        let list = keys.joined(separator: ", ")
        guard let other = others.first else { return "{ fields: [\(list)] }" }
        return "{ fields: [\(list)], name: \(other.name)_\(others.count + 1) }"
    }
}
