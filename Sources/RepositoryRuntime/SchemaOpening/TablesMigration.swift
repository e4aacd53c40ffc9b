package import StoredSchema

/// How a function migrates several tables together: `migrate: { code: [Client, Membership] }`.
///
/// The function gets the old tables with the changes of the versions before its own. What it writes
/// gets the changes of the versions after it.
package struct TablesMigration: Sendable {
    /// The name of the function.
    package let name: String
    /// The old tables.
    package let sources: [OldTable]
    /// The new tables.
    package let targets: [Target]

    /// An old table.
    package struct OldTable: Sendable {
        /// The table as the function sees it.
        let table: StoredTable
        /// Where the records are.
        package let origin: Origin
        /// The changes of the versions before; nil if there are none.
        let program: RowProgram?
        /// The position of each field among the stored ones; nil if a change writes its values.
        let positions: [Int?]
        /// Whether the changes call functions, each once for each record.
        let callsFunctions: Bool

        /// The stored name; nil if the table is not stored.
        package var storedName: String? {
            if case .stored(let table, _, _) = origin { table.name } else { nil }
        }
    }

    /// Where the records of an old table are.
    package enum Origin: Sendable {
        /// In a stored table. The names are those under which documents may contain each field, and
        /// the values those of the fields that they may lack.
        case stored(StoredTable, names: [[String]], missing: [Int: StoredValue])
        /// Made by an earlier function of the list.
        case staged(function: Int, table: String)
        /// Nowhere: the data is older than the table.
        case none
    }

    /// A new table.
    package struct Target: Sendable {
        /// The table as the function makes it.
        let table: StoredTable
        /// Where its records go.
        package let destination: Destination
    }

    /// Where the records of a new table go.
    package enum Destination: Sendable {
        /// To a declared table, through the changes of later versions.
        case declared(String, TableMigration)
        /// To a later function.
        case staged
        /// Nowhere: a later version removes the table.
        case dropped
    }
}

extension TablesMigration {
    /// The names of the declared tables that the function fills.
    package var declaredTables: [String] {
        targets.compactMap { target in
            if case .declared(let name, _) = target.destination { name } else { nil }
        }
    }
}

extension SchemaOpening {
    /// The declared tables that functions make.
    package var producedTables: Set<String> { Set(tableFunctions.flatMap(\.declaredTables)) }

    /// The stored names of the tables that functions over several tables read.
    package var readTables: [String] {
        tableFunctions.flatMap(\.sources).compactMap(\.storedName)
    }

    /// Plans the functions that migrate several tables together.
    mutating func carryOutFunctions(_ migration: SchemaMigration, _ tables: TableComparison) {
        for name in migration.replaced {
            if let other = otherOwners(name).first {
                differences.append(.tableShared(table: name, set: other, steps: []))
            } else {
                replacedTables.append(name)
            }
        }
        for (index, function) in migration.functions.enumerated() {
            guard schema.functions.tables[function.name] != nil else {
                problems.append(
                    "the migration of '\(function.sources.joined(separator: "', '"))' needs the function '\(function.name)': pass 'migrations:' to the initializer of the set"
                )
                continue
            }
            do {
                tableFunctions.append(
                    TablesMigration(
                        name: function.name,
                        sources: try function.sources.map {
                            try source($0, of: function, migration)
                        },
                        targets: try function.new.map {
                            try target($0, of: index, migration, tables)
                        }))
            } catch let failure as MigrationFailure {
                problems.append(failure.clause)
            } catch {
                problems.append("the function '\(function.name)' cannot be carried out: \(error)")
            }
        }
        // A function makes the whole table.
        let produced = producedTables
        steps.removeAll { produced.contains($0.table) }
        unverifiedTables.subtract(produced)
    }

    /// Plans how a function reads a table.
    private func source(
        _ name: String, of function: SchemaMigration.TablesFunction, _ migration: SchemaMigration
    ) throws -> TablesMigration.OldTable {
        let found = function.consumed.first { String.isSameIdentifier($0.changed.name, name) }
        guard let found else {
            let empty = StoredTable(name: name, fields: [], key: [])
            return TablesMigration.OldTable(
                table: empty, origin: .none, program: nil, positions: [], callsFunctions: false)
        }
        let first = found.producer.map { migration.functions[$0].number } ?? 0
        let changes = migration.changes.filter { $0.number > first && $0.number < function.number }
        var origin = TablesMigration.Origin.none
        if let producer = found.producer {
            origin = .staged(function: producer, table: found.stored.name)
        } else {
            let (names, missing) = reading(found)
            origin = .stored(found.stored, names: names, missing: missing)
        }
        let isChanged = found.changed != found.stored || found.changesValues
        let program =
            isChanged
            ? try RowProgram(
                source: found.stored, changes: changes,
                target: StoredRowLayout(found.changed).layout, functions: schema.functions) : nil
        let written = changes.flatMap(\.changes).writtenFields(of: found.stored)
        return TablesMigration.OldTable(
            table: found.changed, origin: origin, program: program,
            positions: found.origins.map { origin in
                guard let origin, let written, !written.contains(origin) else { return nil }
                return found.stored.fields.firstIndex {
                    String.isSameIdentifier($0.name, origin)
                }
            }, callsFunctions: changes.flatMap(\.changes).callsFunctions(for: found.stored))
    }

    /// Plans where the records go that a function writes to a table.
    private func target(
        _ table: StoredTable, of function: Int, _ migration: SchemaMigration,
        _ tables: TableComparison
    ) throws -> TablesMigration.Target {
        func isThis(_ other: SchemaMigration.Table) -> Bool {
            other.producer == function && String.isSameIdentifier(other.stored.name, table.name)
        }
        if migration.functions.contains(where: { $0.consumed.contains(where: isThis) }) {
            return TablesMigration.Target(table: table, destination: .staged)
        }
        guard let last = migration.tables.first(where: isThis),
            let new = tables.pairs.first(where: {
                String.isSameIdentifier($0.old.name, last.changed.name)
            })?.new, let declared = schema.table(new.name)
        else { return TablesMigration.Target(table: table, destination: .dropped) }
        let number = migration.functions[function].number
        let changes = migration.changes.filter { $0.number > number }
        let program = try RowProgram(
            source: table, changes: changes, target: declared.layout, from: sources(of: new.name),
            functions: schema.functions, isProduced: true)
        return TablesMigration.Target(
            table: table,
            destination: .declared(
                new.name,
                TableMigration(
                    stored: table, changed: last.changed, changes: changes,
                    sources: sources(of: new.name), program: program, origins: last.origins,
                    names: table.fields.map { [$0.name] }, missing: [:],
                    key: TableMigration.namedKey(of: table, declared))))
    }
}

extension [DataChange] {
    /// Returns whether one of the changes calls a function for the records of a stored table.
    fileprivate func callsFunctions(for stored: StoredTable) -> Bool {
        var table = stored.name
        return contains { change in
            if case .renameTable(let old, let new) = change, String.isSameIdentifier(table, old) {
                table = new
            }
            return change.function != nil && change.concerns(table)
        }
    }

    /// Returns the names of the stored fields whose values the changes write; nil if they write
    /// whole records.
    fileprivate func writtenFields(of stored: StoredTable) -> Set<String>? {
        var table = stored.name
        var origins = Dictionary(
            stored.fields.map { ($0.name, $0.name) }, uniquingKeysWith: { $1 })
        var written: Set<String> = []
        for change in self {
            if case .renameTable(let old, let new) = change {
                if String.isSameIdentifier(table, old) { table = new }
                continue
            }
            guard change.concerns(table) else { continue }
            guard let path = change.path, let field = path.field else { return nil }
            switch change {
            case .rename(_, let new) where path.steps.count == 1:
                origins[new] = origins.removeValue(forKey: field)
            case .remove where path.steps.count == 1: origins[field] = nil
            default: if let origin = origins[field] { written.insert(origin) }
            }
        }
        return written
    }
}
