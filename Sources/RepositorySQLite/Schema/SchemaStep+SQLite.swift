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
    ///   - opening: the comparison with the stored description.
    ///   - schema: the schema that is being opened.
    ///   - tables: the tables of the schema by name.
    func mustRebuild(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [String: SQLTable]
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
            guard let table = tables[name],
                let index = table.entity.layout.fields.firstIndex(where: { $0.name == field }),
                let before = opening.matched[name]?.fields[index]?.rules
            else { return false }
            return table.entity.fields[index].rules.allow(moreThan: before)
        case .changeChecks(let name):
            // New checks are left to the runtime. The CHECK of a removed one would continue to
            // reject records.
            guard let table = tables[name] else { return false }
            let declared = Set(StoredTable(table.entity, in: schema).checks ?? [])
            let before = opening.matched[name]?.table.checks ?? []
            return !declared.isSuperset(of: before)
        default: return false
        }
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
