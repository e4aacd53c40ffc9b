package import StoredSchema

/// Checks of a running program against a description that another program has written in the
/// meantime.
extension StoreDescription {
    /// Returns the differences that prevent a running program from writing records of a set; empty
    /// if it can continue.
    ///
    /// In a store of documents, nothing may have changed about the tables of the set: a program
    /// writes whole records and would drop fields that it does not know. In tables with columns, a
    /// program does not touch columns that it does not know, and it can continue if what it writes
    /// satisfies the rules of the newer program. The verdicts of the generator say the same.
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
        comparison.ignoresNewColumns = form.hasColumns
        comparison.run()
        let running = RunningProgram(comparison.pairs, form: form)
        let steps = comparison.steps.filter { !running.allows($0) }
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
        return comparison.differences + running.differences(comparison.matches)
            + steps.map(SchemaDifference.changed)
    }

    /// Returns whether another program has an unfinished upgrade that affects the set.
    package func isBeingUpgraded(_ schema: StoreSchema) -> Bool {
        guard let upgrade else { return false }
        let tables = set(upgrade.set)?.tables ?? []
        return String.isSameIdentifier(upgrade.set, schema.name)
            || schema.tables.contains { table in tables.contains(table.name) }
    }
}

/// The tables that a program declares, beside those that a newer program has left.
private struct RunningProgram {
    private let pairs: [(stored: StoredTable, declared: StoredTable)]
    private let form: SchemaComparison.Form

    init(_ pairs: [(old: StoredTable, new: StoredTable)], form: SchemaComparison.Form) {
        self.pairs = pairs.map { ($0.old, $0.new) }
        self.form = form
    }

    /// Returns whether the program can continue to write, although its declaration differs by this
    /// step.
    func allows(_ step: SchemaStep) -> Bool {
        guard form.hasColumns,
            let pair = pairs.first(where: { String.isSameIdentifier($0.declared.name, step.table) })
        else { return false }
        switch step {
        case .changeField(_, let name, .rules):
            guard let declared = pair.declared.field(name), let stored = pair.stored.field(name)
            else { return false }
            return stored.rules?.allowsAll(of: declared.rules) ?? true
        case .changeChecks:
            return Set(pair.stored.checks ?? []).isSubset(of: pair.declared.checks ?? [])
        case .changeField(_, _, .defaultValue), .changeField(_, _, .deleteRule): return true
        // Writes of the program could violate a unique index that it does not declare, and it does
        // not maintain a column for texts without case, or the hashes of encrypted values.
        case .dropIndex(_, let name):
            guard let index = pair.stored.indexes.first(where: { $0.name == name }) else {
                return false
            }
            return !index.isUnique && index.foldedKeys == nil
                && !pair.stored.encryptsKey(of: index)
        case .createIndex(_, let name):
            guard let index = pair.declared.indexes.first(where: { $0.name == name }) else {
                return true
            }
            return index.foldedKeys == nil && !pair.declared.encryptsKey(of: index)
        default: return false
        }
    }

    /// Returns what is not a difference of tables for a program that opens a store first: another
    /// field that counts updates, and columns that refer to tables that the program does not know.
    func differences(_ matches: [String: [StoredField?]]) -> [SchemaDifference] {
        pairs.flatMap { stored, declared -> [SchemaDifference] in
            let matched = matches[declared.name] ?? []
            let index = declared.fields.firstIndex { $0.name == declared.version }
            let version = index.flatMap { matched.indices.contains($0) ? matched[$0]?.name : nil }
            let counts: [SchemaDifference] =
                version == stored.version ? [] : [.versionFieldChanged(table: declared.name)]
            let known = Set(matched.compactMap { $0?.name })
            let tables = Set(pairs.map(\.stored.name))
            return counts
                + stored.fields.filter { field in
                    guard let reference = field.reference, !known.contains(field.name) else {
                        return false
                    }
                    return reference.isEnforced && !tables.contains(reference.table)
                }.map { .fieldRemoved(SchemaPlace(table: declared.name, field: $0.name)) }
        }
    }
}

extension StoredRules {
    /// Returns whether every value that satisfies other rules satisfies these.
    fileprivate func allowsAll(of other: StoredRules?) -> Bool {
        func isAtMost(_ left: StoredConstant, _ right: StoredConstant?) -> Bool {
            right.map { StoredValue(left) <= StoredValue($0) } ?? false
        }
        func isAtLeast(_ left: StoredConstant, _ right: StoredConstant?) -> Bool {
            right.map { StoredValue($0) <= StoredValue(left) } ?? false
        }
        return minimum.map { isAtMost($0, other?.minimum) } ?? true
            && maximum.map { isAtLeast($0, other?.maximum) } ?? true
            && minLength.map { $0 <= other?.minLength ?? 0 } ?? true
            && maxLength.map { $0 >= other?.maxLength ?? Int.max } ?? true
            && (pattern == nil || pattern == other?.pattern)
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
