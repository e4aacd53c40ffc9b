/// Finds the stored table for each declared table and compares each pair. Collects all differences
/// instead of stopping at the first.
///
/// Create it, call `run()` once, and then read `steps`, `differences`, `pairs` and `matches`.
/// The steps are not sorted.
package struct TableComparison {
    /// The stored description.
    let stored: SchemaDescription
    /// The declared schema, with earlier names.
    let declared: DeclaredSchema
    /// How the store stores records.
    let form: SchemaComparison.Form
    /// The compatible changes, in the order in which they were found.
    package internal(set) var steps: [SchemaStep] = []
    /// The incompatible changes.
    package internal(set) var differences: [SchemaDifference] = []
    /// The matched tables: each stored table with its declaration.
    package private(set) var pairs: [(old: StoredTable, new: StoredTable)] = []
    /// The stored field for each declared field, by the declared name of the table and the index of
    /// the field.
    package private(set) var matches: [String: [StoredField?]] = [:]
    /// Whether to ignore stored columns that are not declared, if a program that does not know them
    /// can write records, because they are optional or have a default.
    package var ignoresNewColumns = false
    /// The declared name of each matched stored table.
    private var names: [String: String] = [:]

    /// Prepares the comparison; see ``run()``.
    package init(
        stored: SchemaDescription, declared: DeclaredSchema, form: SchemaComparison.Form
    ) {
        self.stored = stored
        self.declared = declared
        self.form = form
    }

    /// Runs the comparison.
    package mutating func run() {
        for new in declared.tables {
            if let old = storedTable(for: new) {
                names[old.name] = new.name
                pairs.append((old, new))
            } else {
                steps.append(.createTable(new.name))
            }
        }
        for table in stored.tables where names[table.name] == nil {
            differences.append(.tableRemoved(table.name))
        }
        for (old, new) in pairs {
            if !UTF8Order.areEqual(old.name, new.name) {
                steps.append(.renameTable(from: old.name, to: new.name))
            }
            compare(old, new)
        }
    }

    /// Returns the stored table with the declared name, or otherwise with the newest earlier name
    /// that no declared table has.
    private func storedTable(for table: StoredTable) -> StoredTable? {
        let candidates =
            [table.name] + table.renamedFrom.names.filter { !declared.names.contains($0) }
        for name in candidates where names[name] == nil {
            if let found = stored.tables.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// Compares a stored table with its declaration.
    private mutating func compare(_ old: StoredTable, _ new: StoredTable) {
        var fields = FieldMatching(old, new, form: form)
        fields.run()
        matches[new.name] = fields.matches
        for field in old.fields where fields.newNames[field.name] == nil {
            let canBeLeftOut = field.isOptional || field.defaultValue != nil
            if ignoresNewColumns, canBeLeftOut { continue }
            differences.append(.fieldRemoved(SchemaPlace(table: new.name, field: field.name)))
        }
        for (index, field) in new.fields.enumerated() {
            guard let before = fields.matches[index] else {
                add(field, to: new)
                continue
            }
            rename(before, field, in: old, new)
            compare(before, field, in: new)
        }
        let key = old.key.map { fields.newNames[$0] ?? $0 }
        if key != new.key {
            differences.append(.idChanged(table: new.name, stored: key, declared: new.key))
        }
        compareDeletion(old, new, fields.newNames)
        compareIndexes(old, new, fields.newNames)
        if old.checks != new.checks { steps.append(.changeChecks(table: new.name)) }
    }

    /// Appends the step for a new field, or a difference if stored records would have no value for
    /// it.
    private mutating func add(_ field: StoredField, to table: StoredTable) {
        // No definition of a column has an encrypted default.
        let hasDefault =
            field.defaultValue != nil && !(form.hasColumns && field.isEncrypted)
        if field.isOptional || hasDefault {
            steps.append(.addField(table: table.name, field: field.name))
        } else {
            differences.append(.fieldAdded(SchemaPlace(table: table.name, field: field.name)))
        }
    }

    /// Appends the steps to rename a field or its columns. Renaming a column to the name of another
    /// stored column is a difference.
    private mutating func rename(
        _ old: StoredField, _ new: StoredField, in oldTable: StoredTable, _ table: StoredTable
    ) {
        switch form {
        case .documents:
            guard !UTF8Order.areEqual(old.name, new.name) else { return }
            steps.append(.renameField(table: table.name, from: old.name, to: new.name))
        case .columns, .foldedColumns:
            for (from, to) in zip(old.columns, new.columns)
            where !UTF8Order.areEqual(from, to) {
                let isTaken = oldTable.fields.flatMap(\.columns)
                    .contains { UTF8Order.areEqual($0, to) }
                if isTaken {
                    differences.append(.columnTaken(table: table.name, from: from, to: to))
                } else {
                    steps.append(.renameColumn(table: table.name, from: from, to: to))
                }
            }
        }
    }

    /// Compares the fields that mark deleted records. Without the stored one, deleted records would
    /// come back.
    private mutating func compareDeletion(
        _ old: StoredTable, _ new: StoredTable, _ newNames: [String: String]
    ) {
        let before = old.deletion.map { newNames[$0] ?? $0 }
        if before == new.deletion { return }
        if let before {
            differences.append(.softDeleteRemoved(SchemaPlace(table: new.name, field: before)))
        }
        if let field = new.deletion {
            steps.append(.startSoftDelete(table: new.name, field: field))
        }
    }

    /// Appends the steps to drop and create indexes. Compares the stored indexes with the current
    /// names of their fields.
    private mutating func compareIndexes(
        _ old: StoredTable, _ new: StoredTable, _ newNames: [String: String]
    ) {
        /// Returns a stored index with the declared names of its fields.
        func renamed(_ index: StoredIndex) -> StoredIndex {
            var copy = index
            copy.rename(newNames)
            return copy
        }
        let before = old.indexes.map(renamed)
        for index in before where !new.indexes.contains(index) {
            steps.append(.dropIndex(table: new.name, index: index.name))
        }
        for index in new.indexes where !before.contains(index) {
            steps.append(.createIndex(table: new.name, index: index.name))
        }
    }

    /// Returns the declared name of a stored table.
    func newName(ofTable name: String) -> String { names[name] ?? name }
}
