package import StoredSchema

/// Checks of a running program against a description that another program has written in the
/// meantime.
extension StoreDescription {
    /// Returns the differences that prevent a running program from writing records of a set; empty
    /// if it can continue.
    ///
    /// In a store of documents, nothing may have changed about the tables of the set: a program
    /// writes whole records and would drop fields that it does not know. In tables with columns, a
    /// program does not touch columns that it does not know, and the database enforces indexes and
    /// rules.
    ///
    /// - Parameters:
    ///   - schema: the schema with which the program opened the store.
    ///   - form: how the store stores records.
    /// - Throws: `schemaMismatch` if the history of the schema cannot be read.
    package func misfits(
        of schema: StoreSchema, form: SchemaComparison.Form
    ) throws -> [SchemaDifference] {
        if let changed = set(schema.name)?.valuesChangedIn {
            // A program that was not told of a step would write values of the old form.
            if changed > (try schema.history()?.nextNumber ?? 0) { return [.newerProgram] }
        }
        let target = DeclaredSchema.of(schema, form)
        let names = Set(target.tables.map(\.name))
        let stored = SchemaDescription(
            name: schema.name, history: [],
            tables: tables.map(\.table).filter { names.contains($0.name) })
        var comparison = TableComparison(stored: stored, declared: target, form: form)
        comparison.ignoresNewColumns = form == .columns
        comparison.run()
        let steps = comparison.steps.filter { step in
            form == .documents || !isHarmlessToRunningPrograms(step)
        }
        if form == .documents {
            for (old, new) in comparison.pairs {
                guard let table = schema.table(new.name), let described = self.table(old.name)
                else {
                    continue
                }
                let readings = TableReadings(
                    table, new, described, comparison.matches[new.name] ?? [])
                if readings.mustRewrite {
                    return comparison.differences + [.recordsOutdated(table: new.name)]
                }
            }
        }
        return comparison.differences + steps.map(SchemaDifference.changed)
    }

    /// Returns whether a program can continue to write to a table with columns, although its
    /// declaration differs by this step.
    ///
    /// A unique index that the program does not declare is not harmless, because its writes could
    /// violate it.
    private func isHarmlessToRunningPrograms(_ step: SchemaStep) -> Bool {
        switch step {
        case .changeField(_, _, .rules), .changeField(_, _, .defaultValue),
            .changeField(_, _, .referenceRemoved), .changeField(_, _, .deleteRule), .changeChecks:
            true
        case .dropIndex(let table, let name):
            self.table(table)?.table.indexes.first { $0.name == name }?.isUnique == false
        case .createIndex: true
        default: false
        }
    }

    /// Returns whether another program has an unfinished upgrade that affects the set.
    package func isBeingUpgraded(_ schema: StoreSchema) -> Bool {
        guard let upgrade else { return false }
        let tables = set(upgrade.set)?.tables ?? []
        return String.isSameIdentifier(upgrade.set, schema.name)
            || schema.tables.contains { table in tables.contains(table.name) }
    }
}

extension SchemaHistory {
    /// The number of the version that the schema of the program has or will have.
    fileprivate var nextNumber: Int { lastNumber + (unreleased == nil ? 0 : 1) }
}

extension CRUDRepositoryError {
    /// Returns the error for a stored schema that another program changed after this program opened
    /// the store.
    ///
    /// - Parameters:
    ///   - store: the kind of store.
    ///   - differences: the differences that prevent writes, as messages without a final period.
    package static func schemaChanged(in store: String, _ differences: [String]) -> Self {
        let list = differences.map { "\n- \($0)" }.joined()
        return Self(
            .schemaMismatch,
            "What is stored in \(store) was changed by a newer program since this one opened it: open it again. Nothing was written:\(list)"
        )
    }
}
