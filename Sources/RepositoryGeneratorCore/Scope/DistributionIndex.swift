internal import RepositorySchema

extension EntityDeclaration {
    /// The index over the field of `distribute`; nil if the id or another index begins with it.
    ///
    /// It serves queries that name the field, on every store.
    var distributionIndex: IndexDeclaration? {
        guard let distribute, case .field(let name) = distribute.value,
            case .composite(let names) = identity,
            names.dropFirst().contains(where: { $0.value == name }), names[0].value != name,
            let field = fields.first(where: { $0.name.value == name }),
            field.index?.value != true, field.unique?.value != true
        else { return nil }
        let isIndexed = indexes.contains { index in
            index.condition == nil && index.keys.first?.field.value == name
        }
        if isIndexed { return nil }
        let key = SortKey(field: Located(name, at: distribute.range), descending: false)
        return IndexDeclaration(keys: [key], range: distribute.range)
    }
}
