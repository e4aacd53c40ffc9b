internal import RepositoryRuntime

extension EntityTable {
    /// A copy of the table with other column types, or as an unmanaged table.
    ///
    /// - Parameters:
    ///   - managed: whether the store creates and changes the table.
    ///   - folds: whether fields that ignore case do so.
    ///   - form: returns the column type for a field type; nil for the default.
    func reformed(
        managed: Bool = true, folds: Bool = true, _ form: (StoredType) -> StoredForm?
    ) -> EntityTable {
        var table = EntityTable(
            name, entity: entity, renamedFrom: renamedFrom, managed: managed)
        for (index, field) in fields.enumerated() {
            let layout = layout.fields[index]
            table.field(
                layout.name, layout.type, column: field.column,
                storedAs: form(layout.type),
                optional: layout.isOptional, default: layout.defaultValue, rules: field.rules,
                reference: field.reference, key: key.contains(index),
                version: versionField == index,
                ignoringCase: folds && field.ignoresCase, sensitive: layout.isSensitive,
                renamedFrom: layout.renamedFrom, columnsRenamedFrom: field.columnsRenamedFrom)
            table.cases(layout.cases)
        }
        for index in indexes {
            let names = index.keys.map {
                ($0.descending ? "-" : "") + name(of: $0)
            }
            table.index(
                index.name, names, unique: index.isUnique,
                where: index.condition.map { Condition($0) })
        }
        for check in checks {
            table.check(check.name, Condition(check.condition), message: check.message)
        }
        return table
    }
}
