/// One write, which may concern many records: it keeps ids, versions, unique indexes and references, and lays what it
/// changes over the committed state of the tables.
///
/// Unique indexes are kept at every step, as in a database. References are looked at when the whole write is known: a
/// batch may hold records that refer to each other, and may delete a record together with those that refer to it.
final class StoreWrite {
    private struct Target: Hashable {
        var table: String
        var key: StoredValue
    }

    /// A field of a table that refers to a record.
    private struct Reference: Hashable {
        var table: String
        var field: Int
        var target: Target
    }

    let tables: StoreTables
    /// Whether parts of it can be taken back; otherwise all of it or nothing.
    let isUndoable: Bool
    private var undoing: [() -> Void] = []
    private var touched: [any AnyStoreTable] = []
    /// References to records that must be there in the end, and the id of a record that has one.
    private var needed: [Reference: String] = [:]
    /// Records to which nobody may refer in the end.
    private var freed: [(record: RemovedRecord, table: any AnyStoreTable, field: Int)] = []

    init(_ tables: StoreTables, isUndoable: Bool) {
        self.tables = tables
        self.isUndoable = isUndoable
    }

    /// Notes that a table is being changed.
    func touch(_ table: any AnyStoreTable) { touched.append(table) }

    /// Adds a step that takes back what was just done.
    func toUndo(_ step: @escaping () -> Void) {
        if isUndoable { undoing.append(step) }
    }

    /// How much has been done, to be given to ``undo(to:)``.
    var mark: Int { undoing.count }

    /// Takes back everything since a mark.
    func undo(to mark: Int) {
        while undoing.count > mark { undoing.removeLast()() }
    }

    /// Forgets how to take back what has been done so far.
    func settle() { undoing = [] }

    /// Makes the changes those of the store.
    ///
    /// - Parameters:
    ///   - changes: who is told of them.
    ///   - apply: makes those that were staged last; until then nothing is stored.
    func commit(telling changes: StoreChanges, _ apply: () throws -> Void) throws {
        try checkReferences()
        for table in touched { try table.stage() }
        try apply()
        guard changes.areObserved else { return finish() }
        var records: [String: StoreChange.Records] = [:]
        for table in touched {
            let ids = table.changedIDs
            if !ids.isEmpty { records[table.description.name] = .init(ids) }
        }
        finish()
        if !records.isEmpty { changes.send(StoreChange(records)) }
    }

    private func finish() {
        for table in touched { table.finish() }
        abandon()
    }

    /// Forgets the changes.
    func abandon() {
        // Those too that it has only looked at: what it found fresh there is fresh no longer.
        for table in tables.all { table.abandon() }
        touched = []
    }

    /// Stores a new entity.
    func create<E: Entity>(_ entity: E) throws {
        let table = try tables.table(E.self)
        guard try !table.contains(entity.id) else {
            throw CRUDRepositoryError.recordAlreadyExists(
                id: entity.id.description, table: E.Mapper.table.name)
        }
        try put(entity, replacing: nil, wasThere: false, table)
    }

    /// Replaces an entity and returns what is stored.
    func update<E: Entity>(_ entity: E) throws -> E {
        let table = try tables.table(E.self)
        guard try table.contains(entity.id) else {
            throw CRUDRepositoryError.recordNotFound(
                id: entity.id.description, table: E.Mapper.table.name)
        }
        return try replace(entity, table)
    }

    /// Creates or replaces an entity and returns what is stored.
    func save<E: Entity>(_ entity: E) throws -> E {
        let table = try tables.table(E.self)
        if try table.contains(entity.id) { return try replace(entity, table) }
        var new = entity
        E.Mapper.setVersion(1, of: &new)
        try put(new, replacing: nil, wasThere: false, table)
        return new
    }

    /// Replaces an entity that is there and returns what is stored.
    func replace<E: Entity>(_ entity: E, _ table: StoreTable<E>) throws -> E {
        var new = entity
        var old: E?
        if let read = E.Mapper.version(of: entity) {
            // The version of a record that cannot be read cannot be compared: the record is replaced, and counts on from
            // the version given.
            old = try readable { try table.record(entity.id) }
            let stored = old.flatMap { E.Mapper.version(of: $0) } ?? read
            guard read == stored else {
                throw CRUDRepositoryError.versionConflict(
                    id: entity.id.description, table: E.Mapper.table.name, expected: read,
                    stored: stored)
            }
            let (next, overflow) = stored.addingReportingOverflow(1)
            E.Mapper.setVersion(overflow ? 1 : next, of: &new)
        } else if !table.keptReferences.isEmpty {
            old = try readable { try table.record(entity.id) }
        }
        try put(new, replacing: old, wasThere: true, table)
        return new
    }

    /// A record that cannot be read may still be replaced.
    private func readable<E>(_ body: () throws -> E?) throws -> E? {
        do {
            return try body()
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }

    private func put<E: Entity>(
        _ entity: E, replacing old: E?, wasThere: Bool, _ table: StoreTable<E>
    ) throws {
        let row = try StoreTable.row(of: entity)
        if let index = try table.conflict(entity.id, row) {
            throw table.description.notUnique(index, id: entity.id.description)
        }
        let oldRow = try old.map { try StoreTable.row(of: $0) }
        for (field, reference) in table.keptReferences {
            if row[field] == .null || row[field] == oldRow?[field] { continue }
            need(
                Reference(
                    table: table.description.name, field: field,
                    target: Target(table: reference.table, key: row[field])), by: entity.id)
        }
        table.set(entity.id, entity, row: row, wasThere: wasThere, in: self)
    }

    private func need(_ reference: Reference, by id: some EntityIdentifier) {
        if needed[reference] != nil { return }
        needed[reference] = id.description
        toUndo { [self] in needed[reference] = nil }
    }

    /// Deletes an entity and does to those that refer to it what their rules say; returns whether it was there.
    func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> Bool {
        let table = try tables.table(type)
        guard try table.contains(id) else { return false }
        table.set(id, nil, row: nil, wasThere: true, in: self)
        let name = table.description.name
        if tables.referrers(to: name).isEmpty { return true }
        var removed = [
            RemovedRecord(table: name, key: try StoredValue(encoding: id), id: id.description)
        ]
        while let record = removed.popLast() {
            for (table, field, reference) in tables.referrers(to: record.table) {
                switch reference.onDelete {
                case .none: break
                case .restrict:
                    freed.append((record, table, field))
                    toUndo { [self] in freed.removeLast() }
                case .cascade:
                    removed += try table.removeReferrers(field, to: record.key, in: self)
                case .setNull:
                    do {
                        try table.clearReferrers(field, to: record.key, in: self)
                    } catch let error as CRUDRepositoryError where error.constraint != nil {
                        throw CRUDRepositoryError.held(
                            id.description, in: name, by: error, through: field,
                            of: table.description)
                    }
                }
            }
        }
        return true
    }

    /// Deletes all entities of a type; returns how many there were.
    func deleteAll<E: Entity>(_ type: E.Type) throws -> Int {
        let ids = try tables.table(type).ids(after: nil, limit: .max)
        for id in ids { _ = try delete(type, id) }
        return ids.count
    }

    /// Deletes those of the ids that are there; returns how many were.
    func deleteAll<E: Entity>(_ type: E.Type, _ ids: [E.ID]) throws -> Int {
        let table = try tables.table(type)
        let there = try Set(ids).filter { try table.contains($0) }
        for id in there { _ = try delete(type, id) }
        return there.count
    }

    /// Checks that every reference written has its record, and that nobody refers to one removed.
    private func checkReferences() throws {
        for (reference, id) in needed {
            let target = reference.target
            if try tables.table(named: target.table)?.contains(key: target.key) ?? false {
                continue
            }
            // The record that referred to it may have been changed again.
            guard let table = tables.table(named: reference.table),
                try table.hasChangedReferrers(reference.field, to: target.key)
            else { continue }
            let field = table.description.layout.fields[reference.field].name
            throw CRUDRepositoryError(
                .constraintViolated,
                "The field '\(field)' of '\(id)' in '\(reference.table)' refers to a record that is not there.",
                id: id, table: reference.table, field: field)
        }
        for (record, table, field) in freed where try table.hasReferrers(field, to: record.key) {
            // Deleted and created again in one write, the record is there for those that refer to it.
            if try tables.table(named: record.table)?.contains(key: record.key) ?? false {
                continue
            }
            throw CRUDRepositoryError(
                .constraintViolated,
                "The record '\(record.id)' in '\(record.table)' cannot be deleted: '\(table.description.layout.fields[field].name)' of a record in '\(table.description.name)' refers to it.",
                id: record.id, table: record.table)
        }
    }
}
