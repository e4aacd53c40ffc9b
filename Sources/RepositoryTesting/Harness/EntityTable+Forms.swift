internal import RepositoryRuntime

extension EntityTable {
    /// The same table in other forms, or as somebody else's.
    ///
    /// - Parameters:
    ///   - managed: whether the store makes it.
    ///   - form: the form of a type, nil for the usual one.
    func reformed(managed: Bool = true, _ form: (StoredType) -> StoredForm?) -> EntityTable {
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
                ignoringCase: field.ignoresCase, sensitive: layout.isSensitive,
                renamedFrom: layout.renamedFrom, columnsRenamedFrom: field.columnsRenamedFrom)
            table.cases(layout.cases)
        }
        for index in indexes {
            let names = index.keys.map {
                ($0.descending ? "-" : "") + layout.fields[$0.field].name
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
