internal import StoredSchema

/// Case folding for fields declared with `ignoringCase`: their strings are stored as written and
/// compared case-folded.
///
/// Every condition, sort key and index key of such a table is converted once, when it is created.
/// Its paths then fold the values that they read from a record, and its constants are already
/// folded. ``QueryEvaluator``, scans and stores therefore compare values without further case
/// handling.
extension EntityTable {
    /// Returns the path in the form in which conditions, sort keys and groups of this table use it:
    /// it folds case if the field is declared with `ignoringCase`.
    ///
    /// A path inside an embedded value or a map never folds case.
    package func comparable(_ path: FieldPath) -> FieldPath {
        guard ignoresCase(path.field), path.names.isEmpty else { return path }
        var copy = path
        copy.ignoresCase = true
        return copy
    }

    /// Returns the sort key with its path converted by ``comparable(_:)``.
    func comparable(_ key: SortKey) -> SortKey {
        if key.relative != nil { return key }
        return SortKey(path: comparable(key.path), direction: key.direction)
    }

    /// Returns the condition with folded paths and constants, ready to be evaluated on records of
    /// this table.
    func comparable(_ condition: Condition) -> Condition {
        guard hasFieldsIgnoringCase else { return condition }
        return condition.mapped(comparable)
    }

    /// Returns the condition tree with folded paths and constants, ready to be evaluated on records
    /// of this table.
    package func comparable(_ tree: ConditionTree) -> ConditionTree {
        guard hasFieldsIgnoringCase else { return tree }
        switch tree {
        // The condition on a related record is in the form of its own table already.
        case .constant, .invalid, .hasElement, .related: return tree
        case .compare(let path, let comparison, let value):
            return .compare(comparable(path), comparison, comparable(value, of: path))
        case .compareFields(let path, let comparison, let other):
            var (one, two) = (comparable(path), comparable(other))
            one.ignoresCase = one.ignoresCase || two.ignoresCase
            two.ignoresCase = one.ignoresCase
            return .compareFields(one, comparison, two)
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

    /// Returns the value of a field as it is compared with others: folded if the field ignores
    /// case.
    package func comparable(_ value: StoredValue, of field: Int) -> StoredValue {
        ignoresCase(field) ? value.caseFolded : value
    }

    /// Returns a value of an index key as it is compared with others.
    package func comparable(_ value: StoredValue, of key: TableIndex.Key) -> StoredValue {
        ignoresCase(key) ? value.caseFolded : value
    }

    /// Returns the value of an index key in a record, as it is compared with others.
    ///
    /// - Parameter row: the field values, by field index.
    package func comparable(_ key: TableIndex.Key, in row: [StoredValue]) -> StoredValue {
        comparable(key.path.value(in: row), of: key)
    }

    /// Returns a constant of a condition on the path, folded only if the path is a whole field.
    private func comparable(_ value: StoredValue, of path: FieldPath) -> StoredValue {
        path.names.isEmpty ? comparable(value, of: path.field) : value
    }

    /// Whether strings of the index key are compared case-folded. Those inside an embedded value
    /// never are.
    package func ignoresCase(_ key: TableIndex.Key) -> Bool {
        key.path.names.isEmpty && ignoresCase(key.field)
    }

    /// Whether strings of the field are compared case-folded.
    package func ignoresCase(_ field: Int) -> Bool {
        hasFieldsIgnoringCase && fields.indices.contains(field) && fields[field].ignoresCase
    }

    /// Returns whether stores whose databases cannot fold text keep a column with the folded text
    /// of a field. Unmanaged tables and encrypted fields have none.
    package func hasFoldedColumn(_ field: Int) -> Bool {
        isManaged && ignoresCase(field) && !fields[field].isEncrypted
    }
}

extension StoredValue {
    /// The case-folded string, or the value unchanged if it is not a string.
    package var caseFolded: StoredValue {
        if case .text(let text) = self { .text(CaseFolding.folded(text)) } else { self }
    }
}
