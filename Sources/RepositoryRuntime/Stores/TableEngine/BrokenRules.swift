extension EntityTable {
    /// Returns the error for a record whose values in a unique index another record already has.
    package func notUnique(_ index: TableIndex, id: String) -> CRUDRepositoryError {
        let names = index.keys.map { $0.path.text(in: layout) }
        var error = CRUDRepositoryError(
            .constraintViolated,
            "The record '\(id)' cannot be stored in '\(name)': another one has the same '\(names.joined(separator: "', '"))' (unique index '\(index.name)').",
            id: id, table: name, field: names.first)
        error.constraint = index.name
        return error
    }
}

extension CRUDRepositoryError {
    /// Returns the error for a deletion that would set a reference to null in a record that
    /// requires it.
    ///
    /// - Parameters:
    ///   - id: the id of the record to delete.
    ///   - name: the table of that record.
    ///   - error: the constraint violation of the other record.
    ///   - field: the position of the field that refers to the record.
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
