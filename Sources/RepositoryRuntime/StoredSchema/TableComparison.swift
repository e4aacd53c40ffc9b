/// Finds stored tables for declared ones and compares each pair.
struct TableComparison {
    let stored: StoredSchema
    let declared: StoreSchema
    let target: StoredSchema
    let form: SchemaComparison.Form
    var steps: [SchemaStep] = []
    var differences: [String] = []
    /// The stored table of each declared one that has one.
    private(set) var pairs: [(old: StoredTable, new: StoredTable)] = []
    /// The stored field of each declared one, by the declared name of the table and the field's index.
    private(set) var matches: [String: [StoredField?]] = [:]
    /// Whether columns that are not declared are no difference if a program that does not know them
    /// can write records: they are optional or have a default.
    var ignoresNewColumns = false
    /// The declared name of each stored table that was found.
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

    /// The stored table of the declared name, or else of the newest earlier name that no declared
    /// table has.
    private func storedTable(for table: EntityTable) -> StoredTable? {
        let candidates =
            [table.name] + table.renamedFrom.filter { declared.table($0) == nil }
        for name in candidates where names[name] == nil {
            if let found = stored.tables.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

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

    private mutating func add(_ field: StoredField, to table: StoredTable) {
        if field.isOptional || field.defaultValue != nil {
            steps.append(.addField(table: table.name, field: field.name))
        } else {
            differences.append(
                "the field '\(field.name)' of '\(table.name)' is new and neither optional nor has a constant default"
            )
        }
    }

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

    private mutating func compareIndexes(
        _ old: StoredTable, _ new: StoredTable, _ newNames: [String: String]
    ) {
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

    /// The declared name of a stored table.
    func newName(ofTable name: String) -> String { names[name] ?? name }

    private func list(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
