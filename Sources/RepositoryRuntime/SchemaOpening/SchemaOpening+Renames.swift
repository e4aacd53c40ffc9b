package import StoredSchema

/// What stands beside the records of a table and moves with them when the table gets another name.
///
/// Only the steps of the upgrade tell where it is: a name that the program declares as a former one
/// may be missing, or be the name of another table by now.
extension SchemaOpening {
    /// The tables that get other names, all at once: two tables may exchange theirs.
    package var renamedTables: [(from: String, to: String)] {
        steps.compactMap { step in
            if case .renameTable(let from, let to) = step { (from, to) } else { nil }
        }
    }

    /// The stored fields that stay, with their names before and after the upgrade.
    package var keptFields: [KeptField] {
        target.sortedTables.flatMap { table -> [KeptField] in
            guard let old = matched[table.name]?.table, !isProduced(old) else { return [] }
            let name = storedName(old)
            return zip(storedFields(of: table), table.fields).compactMap { stored, declared in
                stored.map {
                    KeptField(stored: (name, $0), declared: (table.name, declared))
                }
            }
        }
    }

    /// The table of the counters of given ids: the name of a table, and the last id.
    package static var counters: EntityTable { IDCounterMapper.table }

    /// The renamed tables that have external data.
    package var renamedExternalData: [(from: String, to: String)] {
        renamedTables.filter { before.table($0.from)?.table.hasExternalData == true }
    }

    /// The stored names of the tables with external data.
    package var storedExternalData: [String] {
        stored.tables.filter(\.hasExternalData).map(\.name)
    }

    /// The stored names of the tables whose external data goes: with the table, or with its last
    /// external field.
    package var droppedExternalData: [String] {
        let names = Dictionary(
            renamedTables.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
        let gone = Set(removedTables + replacedTables)
        return storedExternalData.filter { name in
            let new = target.tables.first { $0.name == names[name] ?? name }
            return gone.contains(name) || new?.hasExternalData == false
        }
    }

    /// The columns that get other names in place, in an order in which no column gets a name that
    /// another one still has. Of columns that exchange their names, one gets a third name between.
    ///
    /// Tables whose records are converted are not among them: they get their columns with the
    /// records.
    package var renamedColumns: [(table: String, from: String, to: String)] {
        var renamed: [(table: String, from: String, to: String)] = []
        for case .renameColumn(let table, let from, let to) in steps
        where migrations[table] == nil {
            renamed.append((table, from, to))
        }
        var ordered: [(table: String, from: String, to: String)] = []
        while !renamed.isEmpty {
            let free = renamed.indices.first { index in
                !renamed.indices.contains { other in
                    // Some databases ignore the case of names.
                    other != index && renamed[other].table == renamed[index].table
                        && renamed[other].from.lowercased() == renamed[index].to.lowercased()
                }
            }
            if let free {
                ordered.append(renamed.remove(at: free))
            } else {
                ordered.append((renamed[0].table, renamed[0].from, Self.columnBetween))
                renamed[0].from = Self.columnBetween
            }
        }
        return ordered
    }

    /// The name of a column between two others.
    private static var columnBetween: String { "repository_rename" }

    /// Returns the counters of given ids that the upgrade changes, by the new names of their tables;
    /// nil removes a counter.
    ///
    /// - Parameter last: Returns the stored counter of a table, by its stored name; nil if there is
    ///   none.
    package func movedCounters(
        _ last: (String) throws -> Int64?
    ) rethrows -> [(table: String, last: Int64?)] {
        guard before.table(Self.counters.name) != nil else { return [] }
        let renamed = renamedTables
        let new = Dictionary(renamed.map { ($0.to, $0.from) }, uniquingKeysWith: { $1 })
        var moved: [(table: String, last: Int64?)] = []
        for name in Set(renamed.flatMap { [$0.from, $0.to] }).sorted() {
            let (counter, found) = (try new[name].flatMap(last), try last(name))
            if counter != found { moved.append((name, counter)) }
        }
        return moved
    }
}

/// A stored field that stays, whatever its name becomes.
package struct KeptField: Sendable {
    /// The stored name of its table, and the field as it is stored.
    package let stored: (table: String, field: StoredField)
    /// The declared name of its table, and the field as it is declared.
    package let declared: (table: String, field: StoredField)
}

/// The stored table of a declared one, after the changes of versions.
package struct MatchedTable: Sendable {
    /// The table.
    package let table: StoredTable
    /// The field for each declared field, by index; nil if the field is new.
    package let fields: [StoredField?]
}
