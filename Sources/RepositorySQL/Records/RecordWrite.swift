internal import RepositoryRuntime
internal import RepositorySQLCore

/// What the end of a transaction has to check and to tell, gathered while its calls run.
struct PendingChecks {
    /// A reference from a field of a table to a record.
    struct Reference: Hashable {
        let table: String
        let reference: SQLReference
        /// The components of the target's id.
        let key: [SQLValue]
    }

    /// A record that was deleted although a reference with the rule `restrict` may lead to it.
    struct Freed {
        let table: String
        let key: [SQLValue]
        let id: String
        let referrer: TablePlan.Referrer
    }

    /// The references that must have a target, in the order in which they were written, each with
    /// the id of one record that contains it.
    private(set) var needed: [(reference: Reference, id: String)] = []
    private var known: Set<Reference> = []
    /// The deleted records to which no reference may remain.
    var freed: [Freed] = []
    /// The changed records, for observers.
    var log = ChangeLog()

    /// Adds what a later call has left to do.
    mutating func add(_ other: PendingChecks) {
        for (reference, id) in other.needed { need(reference, by: id) }
        freed += other.freed
        log.add(other.log)
    }

    /// Adds a reference that must have a target. Several records may contain the same one.
    mutating func need(_ reference: Reference, by id: String) {
        if known.insert(reference).inserted { needed.append((reference, id)) }
    }
}

/// Writes records in a transaction: ids, versions, unique indexes and references hold afterwards.
///
/// References are checked by ``checkReferences()`` at the end of the transaction, so that a batch
/// may contain records that refer to each other.
final class RecordWrite {
    /// What a call does with its records.
    enum Mode {
        case create, update, save
    }

    /// A record that a call stores.
    private struct NewRow {
        let key: [SQLValue]
        var row: [SQLValue]
        /// Whether it replaces a stored one.
        let wasThere: Bool
    }

    let session: Session
    let plans: TablePlans
    /// What is left to do at the end of the transaction.
    var pending: PendingChecks

    /// - Parameter pending: what earlier calls of the transaction have left to do.
    init(_ session: Session, _ plans: TablePlans, _ pending: PendingChecks = PendingChecks()) {
        self.session = session
        self.plans = plans
        self.pending = pending
    }

    /// Stores entities.
    ///
    /// - Returns: the stored entities, with their new versions.
    /// - Throws: `recordAlreadyExists`, `recordNotFound`, `versionConflict`; ``SQLDriverError`` if
    ///   the database refuses a record.
    func store<E: Entity>(_ entities: [E], _ mode: Mode) throws -> [E] {
        let plan = try plans.plan(E.Mapper.table.name)
        var results: [E] = []
        // The records of this call, because the same id may occur twice.
        var places: [[SQLValue]: Int] = [:]
        var rows: [NewRow] = []
        results.reserveCapacity(entities.count)
        for entity in entities {
            let key = try RecordEncoder.parameters(of: entity.id, plan)
            let place = places[key]
            var earlier = place.map { rows[$0].row }
            if earlier == nil { earlier = try stored(key, plan) }
            let new = try checked(entity, against: earlier, mode, plan)
            let row = try RecordEncoder.parameters(new, plan)
            try note(new, row, replacing: earlier, plan)
            results.append(new)
            if let place {
                rows[place].row = row
            } else {
                places[key] = rows.count
                rows.append(NewRow(key: key, row: row, wasThere: earlier != nil))
            }
        }
        try write(rows, plan)
        if let cipher = plan.table.cipher, !rows.isEmpty { try session.noteKey(cipher.cipher) }
        return results
    }

    /// Writes the rows of a call. Where unique values may move between records, all replaced records
    /// are removed before the first one is written.
    private func write(_ rows: [NewRow], _ plan: TablePlan) throws {
        let exchanges = plan.hasUniqueIndexes && rows.count > 1
        if exchanges {
            for row in rows where row.wasThere { try session.execute(plan.texts.delete, row.key) }
        }
        for row in rows {
            let text = row.wasThere && !exchanges ? plan.texts.update : plan.texts.insert
            try session.execute(text, row.row)
        }
    }

    /// Returns the row of a stored record; nil if there is none.
    func stored(_ key: [SQLValue], _ plan: TablePlan) throws -> [SQLValue]? {
        try session.query(plan.texts.select, key).first
    }

    /// Checks that an entity may be stored, and returns it with its new version.
    private func checked<E: Entity>(
        _ entity: E, against earlier: [SQLValue]?, _ mode: Mode, _ plan: TablePlan
    ) throws -> E {
        let (id, table) = (entity.id.description, plan.table.name)
        guard let earlier else {
            if mode == .update { throw CRUDRepositoryError.recordNotFound(id: id, table: table) }
            guard mode == .save else { return entity }
            var new = entity
            E.Mapper.setVersion(1, of: &new)
            return new
        }
        if mode == .create { throw CRUDRepositoryError.recordAlreadyExists(id: id, table: table) }
        guard let read = E.Mapper.version(of: entity) else { return entity }
        let stored = version(E.self, in: earlier, plan) ?? read
        guard read == stored else {
            throw CRUDRepositoryError.versionConflict(
                id: id, table: table, expected: read, stored: stored)
        }
        var new = entity
        let (next, overflow) = stored.addingReportingOverflow(1)
        E.Mapper.setVersion(overflow ? 1 : next, of: &new)
        return new
    }

    /// Returns the version of a stored record; nil if the record cannot be read. Such a record can be
    /// replaced, and counting goes on from the version that is given.
    private func version<E: Entity>(
        _ type: E.Type, in row: [SQLValue], _ plan: TablePlan
    ) -> Int? {
        (try? RecordRows.entity(type, row, plan.table, session)).flatMap {
            E.Mapper.version(of: $0)
        }
    }

    /// Notes the references of a record that must have a target, and the change.
    private func note<E: Entity>(
        _ entity: E, _ row: [SQLValue], replacing earlier: [SQLValue]?, _ plan: TablePlan
    ) throws {
        let id = entity.id.description
        if let chunks = plan.chunks, let earlier {
            let key = plan.table.key.map { row[$0] }
            for content in chunks.contents(of: earlier).subtracting(chunks.contents(of: row)) {
                try session.execute(chunks.deleteContent, key + [content])
            }
        }
        for reference in plan.table.references {
            let columns = plan.table.columns(ofField: reference.field)
            let key = Array(row[columns])
            if key.contains(.null) || earlier.map({ Array($0[columns]) }) == key { continue }
            pending.need(
                PendingChecks.Reference(table: plan.table.name, reference: reference, key: key),
                by: id)
        }
        pending.log.add(plan.table.name, id: id)
    }

    /// Stores a chunk of external data. An existing chunk is replaced.
    ///
    /// - Parameters:
    ///   - place: the id of the record, the content, and the number of the chunk.
    ///   - chunk: the bytes.
    ///   - chunks: the table.
    func store(_ chunk: SQLValue, at place: [SQLValue], in chunks: ChunkTable) throws {
        try session.execute(chunks.deleteChunk, place)
        try session.execute(chunks.insert, place + [chunk])
    }

    // MARK: The end

    /// Checks that every written reference has a target, and that no record refers to a deleted one.
    ///
    /// - Throws: `constraintViolated`.
    func checkReferences() throws {
        for (needed, id) in pending.needed {
            let plan = try plans.plan(needed.table)
            let reference = needed.reference
            if try !session.query(plan.texts.target(reference), needed.key).isEmpty { continue }
            // The record may have been changed again since.
            if try session.query(plan.texts.referrer(reference), needed.key).isEmpty { continue }
            let field = plan.table.fieldName(reference.field)
            throw CRUDRepositoryError(
                .constraintViolated,
                "The field '\(field)' of '\(id)' in '\(needed.table)' refers to a record that is not there.",
                id: id, table: needed.table, field: field)
        }
        for freed in pending.freed {
            let other = try plans.plan(freed.referrer.table)
            let reference = freed.referrer.reference
            if try session.query(other.texts.referrer(reference), freed.key).isEmpty { continue }
            // If the record was deleted and created again, its referrers have a target again.
            let own = try plans.plan(freed.table)
            if try !session.query(own.texts.exists, freed.key).isEmpty { continue }
            throw CRUDRepositoryError(
                .constraintViolated,
                "The record '\(freed.id)' in '\(freed.table)' cannot be deleted: '\(other.table.fieldName(reference.field))' of a record in '\(freed.referrer.table)' refers to it.",
                id: freed.id, table: freed.table)
        }
    }
}

extension ChunkTable {
    /// Returns the contents in a row of the table of the records.
    func contents(of row: [SQLValue]) -> Set<SQLValue> {
        Set(columns.map { row[$0] }.filter { $0 != .null })
    }
}
