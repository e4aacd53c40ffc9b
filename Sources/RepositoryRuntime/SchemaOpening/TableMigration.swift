package import StoredSchema

/// How the records of a stored table become those of a declared one.
package struct TableMigration: Sendable {
    /// The table as it is stored, under its stored name.
    package let stored: StoredTable
    /// The stored table after the changes of all versions. A field that is stored has its columns.
    package let changed: StoredTable
    /// The changes of all versions that the data lacks.
    package let changes: [(number: Int, changes: [DataChange])]
    /// Converts the records.
    package let program: RowProgram
    /// The stored name of each field of ``changed``; nil if the field is new.
    package let origins: [String?]
    /// The names under which documents may contain each stored field, newest first.
    package let names: [[String]]
    /// The values of stored fields that a document may lack, by index.
    package let missing: [Int: StoredValue]
    /// The positions of the components of the id among the stored fields; empty if ids must not be
    /// named.
    let key: [Int]

    /// Whether messages can name ids.
    var namesIDs: Bool { !key.isEmpty }

    /// Returns the id of a stored record as text, for messages; nil if it is sensitive.
    package func id(of values: [StoredValue]) -> String? {
        if key.isEmpty { return nil }
        let components = key.map { values[$0].identifierText }
        guard components.count > 1 else { return components[0] }
        return components.map(CompositeIDText.escape).joined(separator: ",")
    }
}

extension TableMigration {
    /// Returns the positions of the components of the id among the stored fields; empty if messages
    /// must not name ids.
    ///
    /// - Parameter declared: the declared table; nil for one that is dropped, because the stored
    ///   description does not record which fields are sensitive.
    static func namedKey(of stored: StoredTable, _ declared: EntityTable?) -> [Int] {
        guard let declared,
            !declared.key.contains(where: { declared.layout.fields[$0].isSensitive })
        else { return [] }
        return stored.key.compactMap { name in
            stored.fields.firstIndex { String.isSameIdentifier($0.name, name) }
        }
    }
}

extension SchemaOpening {
    /// Whether the set has released versions.
    package var hasHistory: Bool { history != nil }

    /// Whether the changes of versions drop, rename or convert stored tables, or references must be
    /// verified.
    package var mustMigrate: Bool {
        guard migration != nil else { return false }
        let renames = steps.contains { step in
            if case .renameTable = step { true } else { false }
        }
        return renames || !migrations.isEmpty || !removedTables.isEmpty
            || !unverifiedTables.isEmpty || !tableFunctions.isEmpty
    }

    /// The reasons why the data cannot be opened, as clauses without a final period.
    package var messages: [String] { problems + differences.map(\.description) }

    /// Determines the version of the data and applies the changes of later versions to the
    /// description.
    mutating func migrate() {
        guard let history, let earlier else { return }
        let changes: [(number: Int, changes: [DataChange])]
        do {
            switch try history.version(of: marks(of: earlier), declared: declaredMarks, form: form)
            {
            case .declared: changes = []
            case .released(let number): changes = history.changes(after: number)
            case .side(let name): return migrateSide(name, history)
            case .unreleased(let number): return takeUnreleased(after: number, history)
            }
        } catch {
            if case .newer = error { return openNewer(error.description) }
            problems.append(error.description)
            return
        }
        use(SchemaMigration(changes, to: stored.tables))
    }

    /// Opens data of a newer version without changing anything, if this program can read and write it:
    /// if the newer program has only added what this one does not touch.
    ///
    /// - Parameter problem: the reason to report if it cannot.
    private mutating func openNewer(_ problem: String) {
        guard let misfits = misfits() else { return }
        isDataNewer = misfits.isEmpty
        guard !isDataNewer else { return }
        problems.append(problem)
        differences = misfits
    }

    /// Returns what prevents this program from writing to the data as it is; nil if the history
    /// cannot be read, which is a problem then.
    private mutating func misfits() -> [SchemaDifference]? {
        do {
            return try before.misfits(of: schema, form: form)
        } catch {
            problems.append("\(error)")
            return nil
        }
    }

    /// Compares with the tables after a migration from here on.
    private mutating func use(_ migration: SchemaMigration) {
        self.migration = migration
        compared = SchemaDescription(
            name: stored.name, history: stored.history, tables: migration.tables.map(\.changed))
        for (function, table) in migration.occupied {
            problems.append(
                "the function '\(function)' makes the table '\(table)', which is there already")
        }
        if let mix = migration.changes.flatMap(\.changes).idsAmongTables {
            problems.append(
                "the function '\(mix.function)' and the new ids of '\(mix.table)' cannot be carried out in one migration: a program between the two versions must open the data first"
            )
        }
    }

    /// Finds the fewest changes that bring the data of a side version to the declared schema. None
    /// of them may call a function, because functions are written for released versions.
    private mutating func migrateSide(_ name: String, _ history: SchemaHistory) {
        let numbers = [history.lastNumber] + history.versions.map { $0.number - 1 }.reversed()
        for number in numbers {
            let migration = SchemaMigration(
                history.changes(after: number), to: stored.tables, skippingDone: true)
            let calls = migration.changes.contains { $0.changes.contains { $0.function != nil } }
            if !calls, leftOver(migration).isEmpty { return use(migration) }
        }
        problems.append(
            "the data has the version '\(name)', which was not released, and no automatic or declared steps lead from it to the schema of this program"
        )
    }

    /// Uses data of an unreleased schema if comparing it resolves every difference.
    private mutating func takeUnreleased(after number: Int?, _ history: SchemaHistory) {
        let unchanged = SchemaMigration([], to: stored.tables)
        differences = leftOver(unchanged)
        if differences.isEmpty { return use(unchanged) }
        // A newer program may have begun the next version.
        if history.unreleased == nil, misfits()?.isEmpty == true {
            differences = []
            isDataNewer = true
            return
        }
        let numbers = history.versions.map(\.number)
        let nearest =
            number
            ?? numbers.reversed().min { left, right in
                distance(from: left, history) < distance(from: right, history)
            }
        problems.append(
            "an unreleased schema wrote the data"
                + (nearest.map { ", which is nearest to version \($0)" } ?? "")
                + ": no released version has its shape, and only automatic changes lead from it")
    }

    /// Returns the number of differences that remain if the data is taken as that of a version.
    private func distance(from number: Int, _ history: SchemaHistory) -> Int {
        leftOver(SchemaMigration(history.changes(after: number), to: stored.tables)).count
    }

    /// Returns the differences that remain after a migration.
    private func leftOver(_ migration: SchemaMigration) -> [SchemaDifference] {
        var tables = TableComparison(
            stored: SchemaDescription(
                name: stored.name, history: [], tables: migration.tables.map(\.changed)),
            declared: target, form: form)
        tables.run()
        return tables.differences.filter { !isCarriedOut($0) }
    }

    /// Returns whether a difference is resolved by rewriting the table or by verifying its records.
    private func isCarriedOut(_ difference: SchemaDifference) -> Bool {
        switch difference {
        case .columnTypeChanged, .columnTaken, .referenceAdded, .referenceChanged: true
        default: false
        }
    }

    /// Decides which tables are dropped, renamed and converted, and which references are verified.
    mutating func carryOut(_ tables: TableComparison) {
        guard let migration else { return }
        var rewritten: Set<String> = []
        for difference in differences {
            switch difference {
            case .columnTypeChanged(let place, _, _): rewritten.insert(place.table)
            case .columnTaken(let table, _, _): rewritten.insert(table)
            case .referenceAdded(let place, _), .referenceChanged(let place, _, _):
                unverifiedTables.insert(place.table)
            default: break
            }
        }
        differences.removeAll(where: isCarriedOut)
        removeTables(migration)
        followDropped(migration)
        // The comparison knows only the names after the changes.
        steps.removeAll { step in if case .renameTable = step { true } else { false } }
        let stored = tables.pairs.filter { !isProduced($0.old) }
        for (old, new) in stored where !String.isSameIdentifier(storedName(old), new.name) {
            steps.append(.renameTable(from: storedName(old), to: new.name))
        }
        carryOutFunctions(migration, tables)
        for (old, new) in stored {
            guard let table = migration.table(old.name) else { continue }
            let keepsRecords = form == .documents && table.keepsDocuments
            if (table.changesValues && !keepsRecords) || rewritten.contains(new.name) {
                convert(table, to: new, migration)
            }
        }
    }

    /// Adds the conversion of a table. Its steps are part of it.
    mutating func convert(
        _ table: SchemaMigration.Table, to new: StoredTable, _ migration: SchemaMigration
    ) {
        guard let declared = schema.table(new.name) else { return }
        migrations[new.name] = tableMigration(table, to: declared, migration)
    }

    /// Makes the programs of dropped tables whose records get new ids before, for the references to
    /// them.
    private mutating func followDropped(_ migration: SchemaMigration) {
        for table in migration.dropped
        where table.producer == nil && !otherOwns(table.stored.name) {
            guard let found = tableMigration(table, to: nil, migration), found.program.changesIDs
            else { continue }
            droppedMigrations[table.stored.name] = found
        }
    }

    private func otherOwns(_ table: String) -> Bool { !otherOwners(table).isEmpty }

    /// Makes the program of a table; nil with a problem if it cannot be made.
    ///
    /// - Parameter declared: the declared table; nil for one that is dropped.
    private mutating func tableMigration(
        _ table: SchemaMigration.Table, to declared: EntityTable?, _ migration: SchemaMigration
    ) -> TableMigration? {
        let name = declared?.name ?? table.stored.name
        let (names, missing) = reading(table, declared?.layout)
        do {
            let program = try RowProgram(
                source: table.stored, changes: migration.changes, target: declared?.layout,
                functions: schema.functions)
            return TableMigration(
                stored: table.stored, changed: table.changed, changes: migration.changes,
                program: program, origins: table.origins, names: names, missing: missing,
                key: TableMigration.namedKey(of: table.stored, declared))
        } catch let failure as MigrationFailure {
            problems.append(failure.clause)
        } catch {
            problems.append("'\(name)' cannot be migrated: \(error)")
        }
        return nil
    }

    /// Returns how documents represent the fields of a stored table: the names under which they may
    /// contain each field, and the values of those that they may lack.
    ///
    /// - Parameter layout: the declared table; nil if there is none.
    func reading(
        _ table: SchemaMigration.Table, _ layout: FieldLayout?
    ) -> (names: [[String]], missing: [Int: StoredValue]) {
        let known = before.table(table.stored.name)?.readings
        let readings = table.stored.fields.map { field in
            known?.first { String.isSameIdentifier($0.field, field.name) }
        }
        var missing: [Int: StoredValue] = [:]
        for (index, reading) in readings.enumerated() where reading?.mayLack == true {
            missing[index] = reading?.value.map(StoredValue.init) ?? .null
        }
        let names = zip(table.stored.fields, readings).map { field, reading in
            var earlier = reading?.names ?? []
            // Earlier versions of the library did not record the names.
            if known == nil, let layout { earlier = earlierNames(of: field, in: table, layout) }
            return [field.name] + earlier
        }
        return (names, missing)
    }

    /// Returns the earlier names that the program declares for a stored field and that no other
    /// stored field has.
    private func earlierNames(
        of field: StoredField, in table: SchemaMigration.Table, _ layout: FieldLayout
    ) -> [String] {
        guard let index = table.origins.firstIndex(of: field.name),
            let declared = layout.fields.first(where: {
                String.isSameIdentifier($0.name, table.changed.fields[index].name)
            })
        else { return [] }
        return declared.renamedFrom.filter { table.stored.field($0) == nil }
    }

    /// Drops tables, unless another set lists them.
    private mutating func removeTables(_ migration: SchemaMigration) {
        for name in migration.removed {
            if let other = otherOwners(name).first {
                differences.append(.tableShared(table: name, set: other, steps: []))
            } else {
                removedTables.append(name)
            }
        }
    }

    /// Returns the changes of the stored table with a name.
    func changes(ofStored name: String) -> SchemaMigration.Table? {
        migration?.tables.first {
            $0.producer == nil && String.isSameIdentifier($0.stored.name, name)
        }
    }

    /// Whether a function of a version makes a table.
    func isProduced(_ changed: StoredTable) -> Bool {
        migration?.table(changed.name)?.producer != nil
    }

    /// Returns the stored name of a table after the changes of versions.
    func storedName(_ changed: StoredTable) -> String {
        migration?.table(changed.name)?.stored.name ?? changed.name
    }

    /// Returns the stored field for each declared field.
    func matches(of table: StoredTable, _ tables: TableComparison) -> [StoredField?] {
        let matches = tables.matches[table.name] ?? []
        guard let old = tables.pairs.first(where: { $0.new.name == table.name })?.old,
            let changed = migration?.table(old.name)
        else { return matches }
        return matches.map { match in
            guard let match else { return nil }
            let index = changed.changed.fields.firstIndex {
                String.isSameIdentifier($0.name, match.name)
            }
            return index.flatMap { changed.origins[$0] }.flatMap { changed.stored.field($0) }
        }
    }

    /// What identifies the version of the stored data.
    func marks(of set: DescribedSet) -> DataVersionMarks {
        DataVersionMarks(
            number: set.version, hash: set.versionHash, isUnreleased: set.isUnreleased == true,
            fingerprint: set.history.last ?? "", cases: set.cases ?? storedCases)
    }

    /// The digest of the stored cases; nil if the stored description may lack them.
    private var storedCases: String? {
        let isComplete = target.names.count == target.tables.count
        guard isComplete, stored.tables.contains(where: \.namesCases) else { return nil }
        return SchemaDescription.casesDigest(of: stored.tables)
    }

    /// What identifies data of the declared schema.
    var declaredMarks: DataVersionMarks {
        DataVersionMarks(fingerprint: target.fingerprint, cases: target.casesDigest)
    }
}

extension MigrationFailure {
    /// The failure as a clause without a final period.
    package var clause: String {
        let place = field.map { "the field '\($0)' of '\(table)'" } ?? "'\(table)'"
        return "\(place) \(reason)"
    }
}

extension DescribedSet {
    /// Records the version of the data after it was opened with a declared schema.
    mutating func record(_ history: SchemaHistory, _ declared: DeclaredSchema) {
        guard let last = history.versions.last else { return }
        version = last.number
        versionHash = last.hash
        isUnreleased = history.unreleased == nil ? nil : true
        cases = declared.casesDigest
        valuesChangedIn =
            history.changes(after: 0).last { version in
                version.changes.contains { !$0.keepsValues }
            }?.number
    }
}

extension DescribedSet {
    /// Keeps the recorded version of the data, which a program without released versions has opened.
    mutating func keepVersion(of earlier: DescribedSet?) {
        guard let earlier, let number = earlier.version else { return }
        version = number
        versionHash = earlier.versionHash
        let isChanged = earlier.history.last != history.last || earlier.isUnreleased == true
        isUnreleased = isChanged ? true : nil
    }
}

extension DataChange {
    /// Whether all stored values stay as they are: names change, or fields are added. The
    /// comparison of the tables finds these changes.
    fileprivate var keepsValues: Bool {
        switch self {
        case .rename, .renameTable: true
        case .add(let path, _, _, _): path.steps.count == 1
        default: false
        }
    }
}
