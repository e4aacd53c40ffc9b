package import StoredSchema

extension EntityTable {
    /// Creates the description of a stored table, for reading its records. It has no indexes, and its
    /// references are not enforced.
    ///
    /// - Throws: ``MigrationFailure`` for a type that this version of the library does not know.
    package init(_ stored: StoredTable) throws {
        self.init(stored.name, entity: "a stored record")
        let layout = try StoredRowLayout(stored).layout
        for (field, description) in zip(stored.fields, layout.fields) {
            self.field(
                field.name, description.type, column: field.columns.first,
                storedAs: field.storedAs.flatMap(StoredForm.init), optional: field.isOptional,
                reference: field.reference.map { TableReference($0.table, onDelete: .none) },
                key: stored.key.contains { String.isSameIdentifier($0, field.name) },
                sensitive: true)
        }
    }
}
