/// Fields declared with `ignoringCase`: their texts are stored as they are written and compared folded.
///
/// Every condition, order and index of such a table is made comparable once, where it is made: its paths fold what they
/// find in a record and its constants are folded already.
extension EntityTable {
    /// The path as conditions, orders and groups of this table read it.
    package func comparable(_ path: FieldPath) -> FieldPath {
        guard ignoresCase(path.field), path.names.isEmpty else { return path }
        var copy = path
        copy.ignoresCase = true
        return copy
    }

    /// The key as queries of this table sort by it.
    func comparable(_ key: SortKey) -> SortKey {
        SortKey(path: comparable(key.path), direction: key.direction)
    }

    /// The condition as it is asked of records of this table.
    func comparable(_ condition: Condition) -> Condition {
        guard hasFieldsIgnoringCase else { return condition }
        return condition.mapped(comparable)
    }

    /// The condition as it is asked of records of this table.
    package func comparable(_ tree: ConditionTree) -> ConditionTree {
        guard hasFieldsIgnoringCase else { return tree }
        switch tree {
        case .constant, .invalid, .hasElement: return tree
        case .compare(let path, let comparison, let value):
            return .compare(comparable(path), comparison, comparable(value, of: path))
        case .isIn(let path, let values):
            return .isIn(comparable(path), Set(values.map { comparable($0, of: path) }))
        case .text(let path, let search):
            let place = comparable(path)
            guard place.ignoresCase else { return tree }
            return .text(place, TextSearch(search.kind, CaseFolding.folded(search.text)))
        case .all(let conditions): return .all(conditions.map { comparable($0) })
        case .any(let conditions): return .any(conditions.map { comparable($0) })
        case .not(let condition): return .not(comparable(condition))
        }
    }

    /// What of a value of a field is compared with others.
    package func comparable(_ value: StoredValue, of field: Int) -> StoredValue {
        ignoresCase(field) ? value.caseFolded : value
    }

    private func comparable(_ value: StoredValue, of path: FieldPath) -> StoredValue {
        path.names.isEmpty ? comparable(value, of: path.field) : value
    }

    /// Whether texts of a field are compared folded.
    package func ignoresCase(_ field: Int) -> Bool {
        hasFieldsIgnoringCase && fields.indices.contains(field) && fields[field].ignoresCase
    }
}

extension StoredValue {
    /// A text folded; any other value as it is.
    package var caseFolded: StoredValue {
        if case .text(let text) = self { .text(CaseFolding.folded(text)) } else { self }
    }
}
