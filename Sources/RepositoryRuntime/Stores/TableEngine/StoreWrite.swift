/// One atomic write, which may change many records. Enforces ids, versions, unique indexes and
/// references.
///
/// The changes are kept in an overlay over the committed state of the tables until
/// ``commit(telling:_:)``.
///
/// Unique indexes are checked at the end of every call, so that the records of a call can exchange
/// unique values. Reference checks are deferred to the commit: a batch may contain records that
/// refer to each other, and may delete a record together with the records that refer to it.
///
/// ``StoreTables`` creates a write for each single operation and one for each outermost
/// transaction. At most one is open at a time. If a call throws, the changes that it has made so
/// far remain in the overlay: the caller must undo or abandon them.
final class StoreWrite {
    /// A record that a reference points to.
    private struct Target: Hashable {
        var table: String
        var key: StoredValue
    }

    /// A reference from a field of a table to a record.
    private struct Reference: Hashable {
        var table: String
        var field: Int
        var target: Target
    }

    /// The tables of the store.
    let tables: StoreTables
    /// Whether single steps can be undone. Otherwise the write is applied or abandoned as a whole,
    /// and no undo log is kept.
    let isUndoable: Bool
    /// The undo log: closures that undo one change each, in order of the changes.
    private var undoing: [() -> Void] = []
    /// The tables that the write has changed, each once.
    private var touched: [any AnyStoreTable] = []
    /// References that must have a target at commit, each with the id of one record that contains
    /// it.
    private var needed: [Reference: String] = [:]
    /// Deleted records to which no reference may remain at commit, each with the referring table
    /// and field.
    private var freed: [(record: RemovedRecord, table: any AnyStoreTable, field: Int)] = []

    /// The checks of the records of the running call that collided with another one when they were
    /// set. Empty for most calls.
    private var collided: [() throws -> Void] = []

    /// Creates a write without changes. The tables must have no other open write.
    init(_ tables: StoreTables, isUndoable: Bool) {
        self.tables = tables
        self.isUndoable = isUndoable
    }

    /// Registers a table that the write changes. ``StoreTable`` calls this once per write.
    func touch(_ table: any AnyStoreTable) { touched.append(table) }

    /// Appends a closure to the undo log that undoes the last change. Does nothing if the write is
    /// not undoable.
    func toUndo(_ step: @escaping () -> Void) {
        if isUndoable { undoing.append(step) }
    }

    /// The current position in the undo log, for ``undo(to:)``.
    var mark: Int { undoing.count }

    /// Undoes all changes since a mark, last change first.
    func undo(to mark: Int) {
        collided = []
        while undoing.count > mark { undoing.removeLast()() }
    }

    /// Ends a call: checks the unique values that collided with another record when they were set.
    ///
    /// - Throws: `constraintViolated` for the first record that still collides.
    func endCall() throws {
        if collided.isEmpty { return }
        let checks = collided
        collided = []
        for check in checks { try check() }
    }

    /// Clears the undo log. The changes so far can then only be abandoned as a whole.
    func settle() { undoing = [] }

    /// Checks the deferred references and applies the changes to the store.
    ///
    /// - Parameters:
    ///   - changes: notifies the observers after the commit.
    ///   - apply: writes the staged changes of all tables. It does nothing in a store in memory,
    ///     whose tables change when they are staged.
    func commit(telling changes: StoreChanges, _ apply: () throws -> Void) throws {
        try checkReferences()
        for table in touched { try table.stage() }
        try apply()
        guard changes.hasObservers else { return finish() }
        var records: [String: StoreChange.Records] = [:]
        for table in touched {
            let ids = table.changedIDs
            if !ids.isEmpty { records[table.description.name] = .init(ids) }
        }
        finish()
        if !records.isEmpty { changes.send(StoreChange(records)) }
    }

    /// Makes the applied changes the committed state of the tables.
    private func finish() {
        for table in touched { table.finish() }
        abandon()
    }

    /// Discards the changes.
    func abandon() {
        // Also resets the tables that the write has only read: their indexes are no longer known to
        // be fresh.
        for table in tables.all { table.abandon() }
        touched = []
        collided = []
    }

    /// Stores a new entity.
    ///
    /// - Throws: `recordAlreadyExists` if there is a record with its id, or a constraint violation.
    func create<E: Entity>(_ entity: E) throws {
        let table = try tables.table(E.self)
        guard try !table.contains(entity.id) else {
            throw CRUDRepositoryError.recordAlreadyExists(
                id: entity.id.description, table: E.Mapper.table.name)
        }
        try put(entity, replacing: nil, wasThere: false, table)
    }

    /// Replaces an entity and returns the stored entity.
    ///
    /// - Throws: `recordNotFound` if there is no record with its id, a version conflict, or a
    ///   constraint violation.
    func update<E: Entity>(_ entity: E) throws -> E {
        let table = try tables.table(E.self)
        guard try table.contains(entity.id) else {
            throw CRUDRepositoryError.recordNotFound(
                id: entity.id.description, table: E.Mapper.table.name)
        }
        return try replace(entity, table)
    }

    /// Replaces the entity with an id by what a closure returns for it.
    ///
    /// - Throws: `recordNotFound` if there is no record with the id, the error of the closure, or
    ///   what ``update(_:)`` throws.
    func change<E: Entity>(_ type: E.Type, _ id: E.ID, _ change: (E) throws -> E) throws {
        let table = try tables.table(type)
        guard let stored = try table.record(id) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        _ = try replace(change(stored), table)
    }

    /// Creates or replaces an entity and returns the stored entity. A new entity gets version 1.
    func save<E: Entity>(_ entity: E) throws -> E {
        let table = try tables.table(E.self)
        if try table.contains(entity.id) { return try replace(entity, table) }
        var new = entity
        E.Mapper.setVersion(1, of: &new)
        try put(new, replacing: nil, wasThere: false, table)
        return new
    }

    /// Stores an entity as it is given, with its version.
    func put<E: Entity>(_ entity: E) throws {
        let table = try tables.table(E.self)
        let isThere = try table.contains(entity.id)
        let old = isThere ? try readable { try table.record(entity.id) } : nil
        try put(entity, replacing: old, wasThere: isThere, table)
    }

    /// Replaces an existing entity and returns the stored entity. Increments the version, if the
    /// entity has one.
    ///
    /// - Throws: A version conflict if the stored version differs from that of the entity.
    func replace<E: Entity>(_ entity: E, _ table: StoreTable<E>) throws -> E {
        var new = entity
        var old: E?
        if let read = E.Mapper.version(of: entity) {
            // A record that cannot be read has no version to compare. It is replaced, and counting
            // continues from the version of the given entity.
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

    /// Returns nil for a record that cannot be read, because such a record may still be replaced.
    private func readable<E>(_ body: () throws -> E?) throws -> E? {
        do {
            return try body()
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }

    /// Looks up the unique indexes, defers the checks of collisions and of new reference values,
    /// and adds the entity to the overlay.
    ///
    /// - Parameters:
    ///   - entity: the entity to store.
    ///   - old: the stored entity, if it was read. Its unchanged references need no check.
    ///   - wasThere: whether an entity with this id exists.
    ///   - table: the table of the entity.
    private func put<E: Entity>(
        _ entity: E, replacing old: E?, wasThere: Bool, _ table: StoreTable<E>
    ) throws {
        let row = try StoreTable.row(of: entity)
        if try table.conflict(entity.id, row) != nil {
            // The other record may still change in this call.
            let id = entity.id
            collided.append { try table.requireUnique(id) }
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

    /// Registers a reference whose target must exist at commit.
    ///
    /// Several records may contain the same reference. It is checked once, and the error names the
    /// first of them.
    private func need(_ reference: Reference, by id: some EntityIdentifier) {
        if needed[reference] != nil { return }
        needed[reference] = id.description
        toUndo { [self] in needed[reference] = nil }
    }

    /// Deletes an entity and applies the delete rules of the records that refer to it. Cascades
    /// transitively.
    ///
    /// The rules are applied iteratively with a worklist, so that long chains of references cannot
    /// overflow the stack.
    ///
    /// - Returns: Whether the entity existed.
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

    /// Deletes all entities of a type and returns their number.
    func deleteAll<E: Entity>(_ type: E.Type) throws -> Int {
        let ids = try tables.table(type).ids(after: nil, limit: .max)
        for id in ids { _ = try delete(type, id) }
        return ids.count
    }

    /// Deletes the entities with the given ids that exist and returns their number.
    func deleteAll<E: Entity>(_ type: E.Type, _ ids: [E.ID]) throws -> Int {
        let table = try tables.table(type)
        let there = try Set(ids).filter { try table.contains($0) }
        for id in there { _ = try delete(type, id) }
        return there.count
    }

    /// Runs the deferred reference checks: every written reference has a target, and no record
    /// refers to a deleted one.
    private func checkReferences() throws {
        for (reference, id) in needed {
            let target = reference.target
            if try tables.table(named: target.table)?.contains(key: target.key) ?? false {
                continue
            }
            // The referring record may have been changed again since.
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
            // If the record was deleted and re-created in the same write, its referrers have a
            // target again.
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
