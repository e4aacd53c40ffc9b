package import StoredSchema

/// How the records of a stored table become those of a declared one.
package struct TableMigration: Sendable {
    /// The table as it is stored, under its stored name.
    package let stored: StoredTable
    /// The stored table after the changes of all versions. A field that is stored has its columns.
    package let changed: StoredTable
    /// The changes of all versions that the data lacks.
    package let changes: [(number: Int, changes: [DataChange])]
    /// The name in ``changed`` of each declared field; nil for a new one. Empty if the table is
    /// dropped.
    package let sources: [String?]
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
        return key.map { values[$0] }.identifierText
    }

    /// Returns the stored columns of a declared field; nil if it is new.
    package func storedColumns(ofField field: Int) -> [String]? {
        sources[field].flatMap { stored.origin(of: $0, in: changed, origins)?.columns }
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
            || !forgottenDeletions.isEmpty
    }

    /// The reasons why the data cannot be opened, as clauses without a final period.
    package var messages: [String] { problems + differences.map(\.description) }

    /// Returns whether a difference is resolved by rewriting the table or by verifying its records.
    func isCarriedOut(_ difference: SchemaDifference) -> Bool {
        switch difference {
        case .columnTypeChanged, .columnTaken, .referenceAdded, .referenceChanged,
            .softDeleteRemoved:
            true
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
            case .softDeleteRemoved(let place): forgetDeletion(of: place.table, tables)
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
        let (names, missing) = reading(table)
        let sources = declared.map { self.sources(of: $0.name) } ?? []
        do {
            let program = try RowProgram(
                source: table.stored, changes: migration.changes, target: declared?.layout,
                from: sources, functions: schema.functions)
            return TableMigration(
                stored: table.stored, changed: table.changed, changes: migration.changes,
                sources: sources, program: program, origins: table.origins, names: names,
                missing: missing, key: TableMigration.namedKey(of: table.stored, declared))
        } catch let failure as MigrationFailure {
            problems.append(failure.clause)
        } catch {
            problems.append("'\(name)' cannot be migrated: \(error)")
        }
        return nil
    }

    /// Returns how documents represent the fields of a stored table: the names under which they may
    /// contain each field, and the values of those that they may lack.
    func reading(
        _ table: SchemaMigration.Table
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
            [field.name] + (reading?.names ?? [])
        }
        return (names, missing)
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

    /// Returns the name of each declared field after the changes of versions; nil for a new one.
    func sources(of table: String) -> [String?] { matched[table]?.fields.map { $0?.name } ?? [] }

    /// Returns the stored field for each declared field.
    func storedFields(of table: StoredTable) -> [StoredField?] {
        guard let found = matched[table.name] else { return [] }
        guard let changed = migration?.table(found.table.name) else { return found.fields }
        return found.fields.map { match in
            match.flatMap {
                changed.stored.origin(of: $0.name, in: changed.changed, changed.origins)
            }
        }
    }
}

extension StoredTable {
    /// Returns the field that a field of the table after all changes comes from; nil if it is new.
    ///
    /// - Parameter origins: the stored name of each field of the changed table.
    fileprivate func origin(
        of name: String, in changed: StoredTable, _ origins: [String?]
    ) -> StoredField? {
        let index = changed.fields.firstIndex { String.isSameIdentifier($0.name, name) }
        return index.flatMap { origins[$0] }.flatMap { field($0) }
    }
}

extension MigrationFailure {
    /// The failure as a clause without a final period.
    package var clause: String {
        let place = field.map { "the field '\($0)' of '\(table)'" } ?? "'\(table)'"
        return "\(place) \(reason)"
    }
}
