/// Finds the stored table for each declared table and compares each pair. Collects all differences
/// instead of stopping at the first.
///
/// Create it, call `run()` once, and then read `steps`, `differences`, `pairs` and `matches`.
/// The steps are not sorted.
struct TableComparison {
    /// The stored description.
    let stored: StoredSchema
    /// The declared schema, with earlier names.
    let declared: StoreSchema
    /// The description of the declared schema.
    let target: StoredSchema
    /// How the store stores records.
    let form: SchemaComparison.Form
    /// The compatible changes, in the order in which they were found.
    var steps: [SchemaStep] = []
    /// The incompatible changes, as messages.
    var differences: [String] = []
    /// The matched tables: each stored table with its declaration.
    private(set) var pairs: [(old: StoredTable, new: StoredTable)] = []
    /// The stored field for each declared field, by the declared name of the table and the index of
    /// the field.
    private(set) var matches: [String: [StoredField?]] = [:]
    /// Whether to ignore stored columns that are not declared, if a program that does not know them
    /// can write records, because they are optional or have a default.
    var ignoresNewColumns = false
    /// The declared name of each matched stored table.
    private var names: [String: String] = [:]

    init(
        stored: StoredSchema, declared: StoreSchema, target: StoredSchema,
        form: SchemaComparison.Form
    ) {
        self.stored = stored
        self.declared = declared
        self.target = target
        self.form = form
    }

    /// Runs the comparison.
    mutating func run() {
        var pairs: [(StoredTable, StoredTable, EntityTable)] = []
        for table in declared.tables {
            guard let new = target.tables.first(where: { $0.name == table.name }) else { continue }
            if let old = storedTable(for: table) {
                names[old.name] = table.name
                pairs.append((old, new, table))
            } else {
                steps.append(.createTable(table.name))
            }
        }
        for table in stored.tables where names[table.name] == nil {
            differences.append("the table '\(table.name)' is stored and not declared")
        }
        self.pairs = pairs.map { ($0.0, $0.1) }
        for (old, new, table) in pairs {
            if !String.isSameIdentifier(old.name, new.name) {
                steps.append(.renameTable(from: old.name, to: new.name))
            }
            compare(old, new, table)
        }
    }

    /// Returns the stored table with the declared name, or otherwise with the newest earlier name
    /// that no declared table has.
    private func storedTable(for table: EntityTable) -> StoredTable? {
        let candidates =
            [table.name] + table.renamedFrom.filter { declared.table($0) == nil }
        for name in candidates where names[name] == nil {
            if let found = stored.tables.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// Compares a stored table with its declaration.
    private mutating func compare(
        _ old: StoredTable, _ new: StoredTable, _ table: EntityTable
    ) {
        var fields = FieldMatching(old, new, table, form: form)
        fields.run()
        matches[new.name] = fields.matches
        for field in old.fields where fields.newNames[field.name] == nil {
            let canBeLeftOut = field.isOptional || field.defaultValue != nil
            if ignoresNewColumns, canBeLeftOut { continue }
            differences.append(
                "the field '\(field.name)' of '\(new.name)' is stored and not declared")
        }
        for (index, field) in new.fields.enumerated() {
            guard let before = fields.matches[index] else {
                add(field, to: new)
                continue
            }
            rename(before, field, in: old, new)
            compare(before, field, table.layout.fields[index], in: new)
        }
        let key = old.key.map { fields.newNames[$0] ?? $0 }
        if key != new.key {
            differences.append(
                "the id of '\(new.name)' is stored as \(list(key)) and declared as \(list(new.key))"
            )
        }
        compareIndexes(old, new, fields.newNames)
        if old.checks != new.checks { steps.append(.changeChecks(table: new.name)) }
    }

    /// Appends the step for a new field, or a difference if stored records would have no value for
    /// it.
    private mutating func add(_ field: StoredField, to table: StoredTable) {
        if field.isOptional || field.defaultValue != nil {
            steps.append(.addField(table: table.name, field: field.name))
        } else {
            differences.append(
                "the field '\(field.name)' of '\(table.name)' is new and neither optional nor has a constant default"
            )
        }
    }

    /// Appends the steps to rename a field or its columns. Renaming a column to the name of another
    /// stored column is a difference.
    private mutating func rename(
        _ old: StoredField, _ new: StoredField, in oldTable: StoredTable, _ table: StoredTable
    ) {
        switch form {
        case .documents:
            guard !String.isSameIdentifier(old.name, new.name) else { return }
            steps.append(.renameField(table: table.name, from: old.name, to: new.name))
        case .columns:
            for (from, to) in zip(old.columns, new.columns)
            where !String.isSameIdentifier(from, to) {
                let isTaken = oldTable.fields.flatMap(\.columns)
                    .contains { String.isSameIdentifier($0, to) }
                if isTaken {
                    differences.append(
                        "the column '\(from)' of '\(table.name)' cannot be renamed to '\(to)', which is stored too"
                    )
                } else {
                    steps.append(.renameColumn(table: table.name, from: from, to: to))
                }
            }
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
            copy.foldedKeys = index.foldedKeys?.map { newNames[$0] ?? $0 }
            copy.keys = index.keys.map { key in
                key.hasPrefix("-")
                    ? "-" + (newNames[String(key.dropFirst())] ?? key) : newNames[key] ?? key
            }
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

    /// Returns quoted names, separated by commas.
    private func list(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
