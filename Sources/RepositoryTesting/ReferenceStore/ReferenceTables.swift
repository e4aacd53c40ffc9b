internal import RepositoryRuntime
internal import StoredSchema

/// The records of the reference store. It is a value type, so that a copy is a snapshot and
/// discarding a copy is a rollback.
struct ReferenceTables: Sendable {
    /// The field values of a record.
    typealias Row = [StoredValue]

    /// The tables by name.
    private(set) var tables: [String: EntityTable] = [:]
    /// The sets by name.
    private var sets: [String: StoreSchema] = [:]
    /// The rows by table and id.
    private(set) var rows: [String: [StoredValue: Row]] = [:]

    /// A record that was written or removed, with the id that errors name.
    private struct Touched {
        var table: String
        var key: StoredValue
        var id: String
    }

    /// The records written since the last check of references.
    private var written: [Touched] = []
    /// The records removed since the last check of references, each with the record whose deletion
    /// caused it.
    private var removed: [(record: Touched, cause: Touched)] = []

    /// The records written since the last check of unique indexes.
    private var unchecked: [Touched] = []

    /// Checks the unique indexes for the records written by a call. Throws `constraintViolated` for
    /// the first of them that has the values of another one.
    mutating func checkUnique() throws {
        for record in unchecked {
            guard let table = tables[record.table], let row = rows[record.table]?[record.key] else {
                continue
            }
            try checkUnique(row, table, id: record.id)
        }
        unchecked = []
    }

    /// Checks the references of the written and removed records. Throws `constraintViolated` if one
    /// dangles.
    mutating func checkReferences() throws {
        for record in written {
            guard let table = tables[record.table], let row = rows[record.table]?[record.key] else {
                continue
            }
            try checkReferences(of: row, table, id: record.id)
        }
        for (record, cause) in removed where rows[record.table]?[record.key] == nil {
            for reference in references(to: record.table) where reference.rule == .restrict {
                let rows = rows[reference.table, default: [:]].values
                guard rows.contains(where: { $0[reference.field] == record.key }) else { continue }
                throw CRUDRepositoryError(
                    .constraintViolated,
                    "A record of '\(reference.table)' refers to '\(cause.id)'.", id: cause.id,
                    table: cause.table)
            }
        }
        written = []
        removed = []
    }

    /// Registers the tables of a set. The rows of a known table are kept unchanged. Throws
    /// `schemaMismatch` if another set describes a table differently.
    mutating func open(_ schema: StoreSchema) throws {
        for other in sets.values.sorted(by: { $0.name < $1.name }) where other.name != schema.name {
            for table in schema.tables {
                guard let known = other.table(table.name),
                    StoredTable(known, in: other) != StoredTable(table, in: schema)
                else { continue }
                throw CRUDRepositoryError.schemaMismatch(
                    store: "ReferenceStore",
                    differences: [
                        "the set '\(other.name)' describes the table '\(table.name)' otherwise"
                    ])
            }
        }
        sets[schema.name] = schema
        for table in schema.tables {
            tables[table.name] = table
            rows[table.name, default: [:]] = rows[table.name] ?? [:]
        }
    }

    /// Removes a set and the tables that no other set has.
    mutating func reset(_ schema: StoreSchema) {
        sets[schema.name] = nil
        for table in schema.tables
        where !sets.values.contains(where: { $0.table(table.name) != nil }) {
            tables[table.name] = nil
            rows[table.name] = nil
        }
    }

    /// Writes a row. Unique indexes are checked by ``checkUnique()``, and references by
    /// ``checkReferences()``.
    mutating func put(_ row: Row, _ table: EntityTable, id: String) throws {
        let key = table.idValue(of: row)
        unchecked.append(Touched(table: table.name, key: key, id: id))
        rows[table.name, default: [:]][key] = row
        written.append(Touched(table: table.name, key: key, id: id))
    }

    /// Throws `constraintViolated` if another row has the same values in a unique index.
    private func checkUnique(_ row: Row, _ table: EntityTable, id: String) throws {
        let key = table.idValue(of: row)
        for index in table.indexes where index.isUnique && index.holds(of: row) {
            let values = table.compared(row, by: index)
            guard !values.contains(.null) else { continue }
            for (other, stored) in rows[table.name] ?? [:] where other != key {
                guard index.holds(of: stored), table.compared(stored, by: index) == values else {
                    continue
                }
                var error = violation(
                    table, index.keys[0].field, id,
                    "is taken by another record (unique index '\(index.name)')")
                error.constraint = index.name
                error.field = index.keys[0].path.text(in: table.layout)
                throw error
            }
        }
    }

    /// Sets a reference to null, unless this violates a check or a unique index of the referring
    /// record.
    private mutating func clear(
        _ place: (table: String, key: StoredValue, field: Int), removing cause: Touched
    ) throws {
        guard let table = tables[place.table], var row = rows[place.table]?[place.key] else {
            return
        }
        row[place.field] = .null
        var broken = table.checks.first { !$0.condition.matches(row) }?.name
        do {
            try checkUnique(row, table, id: "")
        } catch let error as CRUDRepositoryError {
            broken = broken ?? error.constraint
        }
        if let broken {
            var error = CRUDRepositoryError(
                .constraintViolated,
                "A record of '\(table.name)' needs '\(cause.id)' ('\(broken)').",
                id: cause.id, table: cause.table)
            error.constraint = broken
            throw error
        }
        rows[place.table]?[place.key] = row
    }

    /// Throws `constraintViolated` if a reference of the row dangles.
    private func checkReferences(of row: Row, _ table: EntityTable, id: String) throws {
        let key = table.idValue(of: row)
        for (field, description) in table.fields.enumerated() {
            guard let reference = description.reference, reference.onDelete != .none,
                row[field] != .null
            else { continue }
            let isItself = reference.table == table.name && row[field] == key
            guard isItself || rows[reference.table]?[row[field]] != nil else {
                throw violation(table, field, id, "refers to a record that is not stored")
            }
        }
    }

    /// Removes a row and applies the delete rules of the references to it. Restrictions are checked
    /// by ``checkReferences()``.
    mutating func remove(_ table: EntityTable, _ key: StoredValue, id: String) throws {
        var gone: [String: Set<StoredValue>] = [table.name: [key]]
        var pending: [(table: String, key: StoredValue)] = [(table.name, key)]
        var cleared: [(table: String, key: StoredValue, field: Int)] = []
        while let target = pending.popLast() {
            for reference in references(to: target.table) {
                for (other, row) in rows[reference.table] ?? [:] {
                    guard row[reference.field] == target.key else { continue }
                    switch reference.rule {
                    case .none, .restrict: break
                    case .setNull: cleared.append((reference.table, other, reference.field))
                    case .cascade:
                        if gone[reference.table, default: []].insert(other).inserted {
                            pending.append((reference.table, other))
                        }
                    }
                }
            }
        }
        let cause = Touched(table: table.name, key: key, id: id)
        for place in cleared where gone[place.table]?.contains(place.key) != true {
            try clear(place, removing: cause)
        }
        for (table, keys) in gone {
            for key in keys {
                rows[table]?[key] = nil
                removed.append((Touched(table: table, key: key, id: id), cause))
            }
        }
    }

    /// The fields that refer to a table.
    private func references(
        to target: String
    ) -> [(table: String, field: Int, rule: TableReference.DeleteRule)] {
        tables.values.flatMap { table in
            table.fields.enumerated().compactMap { field, description in
                guard let reference = description.reference, reference.table == target else {
                    return nil
                }
                return (table.name, field, reference.onDelete)
            }
        }
    }

    /// The error for a field that violates a constraint.
    private func violation(
        _ table: EntityTable, _ field: Int, _ id: String, _ reason: String
    ) -> CRUDRepositoryError {
        let name = table.layout.fields[field].name
        return CRUDRepositoryError(
            .constraintViolated, "The field '\(name)' of '\(id)' \(reason).", id: id,
            table: table.name, field: name)
    }
}

extension TableIndex {
    /// Whether the index covers a row.
    func holds(of row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }
}

extension EntityTable {
    /// The values of an index's fields, in the form in which they are compared.
    func compared(_ row: [StoredValue], by index: TableIndex) -> [StoredValue] {
        index.keys.map { comparable($0, in: row) }
    }

    /// The id of a row, in the form in which references store it.
    func idValue(of row: [StoredValue]) -> StoredValue {
        if key.count == 1 { return row[key[0]] }
        return .object(
            Dictionary(
                uniqueKeysWithValues: key.map { (layout.fields[$0].name, row[$0]) }))
    }
}
