extension EntityTable {
    /// The error of a record whose values in a unique index another one has.
    package func notUnique(_ index: TableIndex, id: String) -> CRUDRepositoryError {
        let names = index.keys.map { layout.fields[$0.field].name }
        var error = CRUDRepositoryError(
            .constraintViolated,
            "The record '\(id)' cannot be stored in '\(name)': another one has the same '\(names.joined(separator: "', '"))' (unique index '\(index.name)').",
            id: id, table: name, field: names.first)
        error.constraint = index.name
        return error
    }
}

extension CRUDRepositoryError {
    /// The error of a deletion that would make a reference null in a record that must not be without it.
    ///
    /// - Parameters:
    ///   - id: the id of the record to be deleted.
    ///   - name: its table.
    ///   - error: what is wrong with the other record then.
    ///   - field: the field that refers to the record.
    ///   - table: the table of the other record.
    package static func held(
        _ id: String, in name: String, by error: CRUDRepositoryError, through field: Int,
        of table: EntityTable
    ) -> CRUDRepositoryError {
        let rule = error.constraint.map { " ('\($0)')" } ?? ""
        var held = CRUDRepositoryError(
            .constraintViolated,
            "The record '\(id)' in '\(name)' cannot be deleted: without it '\(table.layout.fields[field].name)' of a record in '\(table.name)' would break a rule\(rule).",
            id: id, table: name, underlyingError: error)
        held.constraint = error.constraint
        return held
    }
}
