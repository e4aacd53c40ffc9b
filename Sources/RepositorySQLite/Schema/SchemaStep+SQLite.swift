internal import RepositoryRuntime

extension SchemaStep {
    /// Whether the table must be made anew, because `ALTER TABLE` cannot do it.
    func mustRebuild(
        _ stored: StoredSchema, _ schema: StoreSchema, _ tables: [String: SQLTable]
    ) -> Bool {
        switch self {
        case .addField(let name, let field):
            // ADD COLUMN adds one column, and refuses a reference that is not null at first.
            guard let table = tables[name],
                let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
            else { return false }
            let isReference = table.references.contains { $0.field == index }
            return table.counts[index] > 1
                || (isReference && !table.entity.layout.fields[index].isOptional)
        case .changeField(_, _, .becameOptional), .changeField(_, _, .reference): return true
        case .changeField(let name, let field, .rules):
            // Tighter rules are left to the generated code: a table's looser CHECK does no harm.
            guard let table = tables[name], let before = stored.rules(of: field, in: table.entity),
                let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
            else { return false }
            return table.entity.fields[index].rules.allow(moreThan: before)
        case .changeChecks(let name):
            // New ones are left to the runtime; the CHECK of one that is gone would go on refusing.
            guard let table = tables[name] else { return false }
            let declared = Set(StoredTable(table.entity, in: schema).checks ?? [])
            let before = stored.table(of: table.entity)?.checks ?? []
            return !declared.isSuperset(of: before)
        default: return false
        }
    }
}

extension StoredSchema {
    /// What is stored of a table, whatever it was called.
    fileprivate func table(of table: EntityTable) -> StoredTable? {
        ([table.name] + table.renamedFrom).lazy
            .compactMap { name in tables.first { $0.name == name } }.first
    }

    /// The rules that a field had, whatever it and its table were called.
    fileprivate func rules(of field: String, in table: EntityTable) -> StoredRules? {
        guard let index = table.layout.fields.firstIndex(where: { $0.name == field }) else {
            return nil
        }
        let names = [field] + table.layout.fields[index].renamedFrom
        let columns = [table.fields[index].column] + table.fields[index].columnsRenamedFrom
        guard let stored = self.table(of: table) else { return nil }
        let found =
            names.lazy.compactMap { stored.field($0) }.first
            ?? columns.lazy.compactMap { column in
                stored.fields.first { $0.columns == [column] }
            }.first
        return found?.rules
    }
}

extension FieldRules {
    /// Whether these rules allow a value that others forbid.
    fileprivate func allow(moreThan other: StoredRules) -> Bool {
        func isLooser<V: Comparable>(
            _ own: V?, than bound: V?, _ isBeyond: (V, V) -> Bool
        ) -> Bool {
            guard let bound else { return false }
            guard let own else { return true }
            return isBeyond(own, bound)
        }
        return isLooser(minimum, than: other.minimum?.value, <)
            || isLooser(maximum, than: other.maximum?.value, >)
            || isLooser(minLength, than: other.minLength, <)
            || isLooser(maxLength, than: other.maxLength, >)
    }
}
