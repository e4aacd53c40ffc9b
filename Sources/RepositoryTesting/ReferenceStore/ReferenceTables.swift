internal import RepositoryRuntime

/// The records of the reference store: a value, so that a copy of it is a snapshot and a throw leaves the old one.
struct ReferenceTables: Sendable {
    /// One record by field.
    typealias Row = [StoredValue]

    /// The tables by name.
    private(set) var tables: [String: EntityTable] = [:]
    /// The sets by name.
    private var sets: [String: StoreSchema] = [:]
    /// The rows by table and id.
    private(set) var rows: [String: [StoredValue: Row]] = [:]

    /// A record that was written or removed, and under which id an error speaks of it.
    private struct Touched {
        var table: String
        var key: StoredValue
        var id: String
    }

    /// What was written since references were last looked at.
    private var written: [Touched] = []
    /// What was removed since then, and the record whose removal it was.
    private var removed: [(record: Touched, cause: Touched)] = []

    /// Looks at the references of what was written and removed; throws `constraintViolated` where one is broken.
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

    /// Adds the tables of a set; throws `schemaMismatch` where another set describes one otherwise.
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

    /// Writes a row, whose references are looked at later; throws `constraintViolated`.
    mutating func put(_ row: Row, _ table: EntityTable, id: String) throws {
        let key = table.idValue(of: row)
        try checkUnique(row, table, id: id)
        rows[table.name, default: [:]][key] = row
        written.append(Touched(table: table.name, key: key, id: id))
    }

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
                throw error
            }
        }
    }

    /// Makes a reference null, unless that breaks a check or a unique index of the record that has it.
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
                "A record of '\(table.name)' cannot be without '\(cause.id)' ('\(broken)').",
                id: cause.id, table: cause.table)
            error.constraint = broken
            throw error
        }
        rows[place.table]?[place.key] = row
    }

    private func checkReferences(of row: Row, _ table: EntityTable, id: String) throws {
        let key = table.idValue(of: row)
        for (field, description) in table.fields.enumerated() {
            guard let reference = description.reference, reference.onDelete != .none,
                row[field] != .null
            else { continue }
            let isItself = reference.table == table.name && row[field] == key
            guard isItself || rows[reference.table]?[row[field]] != nil else {
                throw violation(table, field, id, "refers to a record that is not there")
            }
        }
    }

    /// Removes a row and does to those that refer to it what their rules say; whether it may go is looked at later.
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
    /// Whether a row is one of those that the index covers.
    func holds(of row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }
}

extension EntityTable {
    /// The values of an index's fields as they are compared.
    func compared(_ row: [StoredValue], by index: TableIndex) -> [StoredValue] {
        index.keys.map { comparable(row[$0.field], of: $0.field) }
    }

    /// The id of a row as a reference to it holds it.
    func idValue(of row: [StoredValue]) -> StoredValue {
        if key.count == 1 { return row[key[0]] }
        return .object(
            Dictionary(
                uniqueKeysWithValues: key.map { (layout.fields[$0].name, row[$0]) }))
    }
}
