internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

extension SchemaStep {
    /// Returns whether the step requires that the table is rebuilt, because `ALTER TABLE` does not
    /// support it.
    ///
    /// These steps do:
    /// - a new field with several columns, or with a required reference,
    /// - a field that became optional or whose reference changed,
    /// - rules of a field that became looser, and a removed check, because the CHECK of the table
    ///   would reject valid records.
    ///
    /// - Parameters:
    ///   - stored: the stored description.
    ///   - schema: the schema that is being opened.
    ///   - tables: the tables of the schema by name.
    func mustRebuild(
        _ stored: SchemaDescription, _ schema: StoreSchema, _ tables: [String: SQLTable]
    ) -> Bool {
        switch self {
        case .addField(let name, let field):
            // ADD COLUMN adds a single column, and rejects a reference that is NOT NULL.
            guard let table = tables[name],
                let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
            else { return false }
            let isReference = table.references.contains { $0.field == index }
            return table.counts[index] > 1
                || (isReference && !table.entity.layout.fields[index].isOptional)
        case .changeField(_, _, .becameOptional), .changeField(_, _, .referenceRemoved),
            .changeField(_, _, .deleteRule):
            return true
        case .changeField(let name, let field, .rules):
            // Tighter rules are left to the generated code: the looser CHECK of the table does no
            // harm.
            guard let table = tables[name], let before = stored.rules(of: field, in: table.entity),
                let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
            else { return false }
            return table.entity.fields[index].rules.allow(moreThan: before)
        case .changeChecks(let name):
            // New checks are left to the runtime. The CHECK of a removed one would continue to
            // reject records.
            guard let table = tables[name] else { return false }
            let declared = Set(StoredTable(table.entity, in: schema).checks ?? [])
            let before = stored.table(of: table.entity)?.checks ?? []
            return !declared.isSuperset(of: before)
        default: return false
        }
    }
}

extension SchemaDescription {
    /// Returns the stored description of a table, under its present or an earlier name.
    fileprivate func table(of table: EntityTable) -> StoredTable? {
        ([table.name] + table.renamedFrom).lazy
            .compactMap { name in tables.first { $0.name == name } }.first
    }

    /// Returns the stored rules of a field, under the present or an earlier name of the field or
    /// its columns.
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
    /// Returns whether these rules allow a value that `other` forbids.
    fileprivate func allow(moreThan other: StoredRules) -> Bool {
        /// Returns whether a limit is missing or lies beyond the previous one.
        func isLooser<V: Comparable>(
            _ own: V?, than bound: V?, _ isBeyond: (V, V) -> Bool
        ) -> Bool {
            guard let bound else { return false }
            guard let own else { return true }
            return isBeyond(own, bound)
        }
        return isLooser(minimum, than: other.minimum.map(StoredValue.init), <)
            || isLooser(maximum, than: other.maximum.map(StoredValue.init), >)
            || isLooser(minLength, than: other.minLength, <)
            || isLooser(maxLength, than: other.maxLength, >)
    }
}
