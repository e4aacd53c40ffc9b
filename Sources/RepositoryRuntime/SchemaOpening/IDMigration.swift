internal import Foundation
internal import StoredSchema

/// The first pass of a migration in which ids change: it calls the functions of the ids, once for
/// each record, and writes down which new id belongs to which old one.
///
/// The second pass converts the records, and looks up the new ids of the records themselves and of
/// those that they refer to. References can therefore form cycles.
///
/// If other functions must run before that of an id, the results are written down as well, so that
/// the second pass continues from there and calls no function again.
package final class IDMigration {
    /// The new ids.
    package let ids: NewIDs
    /// The records that cannot be migrated.
    package let refusals: MigrationRefusals
    private let space: any MigrationSpace
    private let tables: [String: TableMigration]
    /// Where the records of a table are after the functions that were called, by its declared name.
    private var stages: [String: Stage] = [:]

    /// Records that were converted up to a version.
    private struct Stage {
        /// The list that contains them.
        let list: any MigrationSpaceList
        /// The index of the first version that they lack.
        let start: Int
    }

    /// Prepares the pass; nil if no ids change.
    ///
    /// - Parameters:
    ///   - opening: the comparison, which has no differences.
    ///   - space: the place of the new ids.
    ///   - setsAside: whether records that cannot be migrated are set aside.
    package init?(_ opening: SchemaOpening, in space: any MigrationSpace, setsAside: Bool) throws {
        var tables = opening.migrations
        // Another table can have the name of a dropped one.
        for (name, dropped) in opening.droppedMigrations { tables["\(name) (removed)"] = dropped }
        guard tables.values.contains(where: { $0.program.changesIDs }) else { return nil }
        self.tables = tables
        self.space = space
        ids = NewIDs(space)
        refusals = try MigrationRefusals(setsAside: setsAside, in: space)
    }

    /// Computes the new ids of all versions, oldest first.
    ///
    /// - Parameters:
    ///   - store: the kind of store, for messages.
    ///   - reader: reads stored records.
    /// - Throws: `schemaMismatch` if records cannot be converted or get the same id.
    package func run(store: String, _ reader: some StoredRecordReader) throws {
        let steps = tables.flatMap { name, migration in
            migration.program.versions.enumerated().filter { $0.element.changesIDs }
                .map { (name: name, index: $0.offset, version: $0.element) }
        }.sorted { ($0.version.change.number, $0.name) < ($1.version.change.number, $1.name) }
        let byChange = Dictionary(
            steps.map { ($0.version.change, $0) }, uniquingKeysWith: { first, _ in first })
        var done: Set<IDChange> = []
        for step in steps {
            // An id can be a reference, whose target gets its new id before. Such chains have an
            // end.
            var pending = [step.version.change]
            while let change = pending.last {
                let next = byChange[change]?.version.idTargets
                    .map { IDChange(number: change.number, table: $0) }
                    .first { $0 != change && !done.contains($0) && byChange[$0] != nil }
                if let next, !pending.contains(next) {
                    pending.append(next)
                    continue
                }
                pending.removeLast()
                guard done.insert(change).inserted, let found = byChange[change] else { continue }
                try compute(found.name, found.index, store, reader)
            }
        }
    }

    /// Computes the new ids of the records of a table in one version.
    private func compute(
        _ name: String, _ index: Int, _ store: String, _ reader: some StoredRecordReader
    ) throws {
        guard let migration = tables[name] else { return }
        let versions = migration.program.versions
        let version = versions[index]
        let start = stages[name]?.start ?? 0
        let writesRecords =
            version.convertsRecords
            || versions[start..<index].contains {
                $0.changesIDs ? $0.hasOtherCalls : $0.callsFunctions
            }
        let list = try space.makeList()
        try forEach(name, reader) { record, refuse in
            try refusals.collect(record, in: name, refuse) {
                guard
                    let before = try migration.program.run(record.values, start..<index, ids),
                    let after = try version.run(before, .id, ids)
                else { return }
                let old = version.oldID(of: before)
                if let other = try ids.add(old, version.newID(of: after), to: version.change) {
                    let reason = "records of '\(name)' get the same id"
                    if refusals.setsAside { return try refuse(reason) }
                    return refusals.failures.add(
                        reason,
                        pair: record.id == nil ? nil : (other.identifierText, old.identifierText))
                }
                guard writesRecords else { return }
                let values = version.convertsRecords ? after : before
                try list.append(StoredBytes.bytes(of: record.stored(values)))
            }
        }
        try refusals.failures.check(store: store)
        guard writesRecords else { return }
        stages[name] = Stage(list: list, start: version.convertsRecords ? index + 1 : index)
    }

    /// Calls a closure with each record of a table: the stored ones, or those that functions have
    /// converted already. Records that were set aside are left out.
    ///
    /// - Parameters:
    ///   - name: the declared name of the table.
    ///   - reader: reads stored records.
    ///   - body: the closure. It gets a function that refuses the record for a reason.
    package func forEach(
        _ name: String, _ reader: some StoredRecordReader,
        _ body: (MigrationRecord, _ refuse: (String) throws -> Void) throws -> Void
    ) throws {
        guard let migration = tables[name] else { return }
        let isConverted = try forEachConverted(name) { record in
            try body(record) { reason in
                try refusals.refuse(reason, record.place, id: record.id, of: migration) {
                    try reader.setAside(record.place, of: migration, $0)
                }
            }
        }
        if !isConverted { try refusals.forEach(migration, reader, body) }
    }

    /// Calls a closure with each record of a table that functions have converted already.
    ///
    /// - Returns: Whether there are such records; otherwise, the stored ones are to be converted.
    package func forEachConverted(
        _ name: String, _ body: (MigrationRecord) throws -> Void
    ) throws -> Bool {
        guard let stage = stages[name] else { return false }
        try stage.list.forEach { bytes in
            let stored = try StoredBytes.value(of: bytes)
            if let record = MigrationRecord(stored, start: stage.start) { try body(record) }
        }
        return true
    }
}

/// A record to convert.
package struct MigrationRecord {
    /// The values before the version ``start``.
    package let values: [StoredValue]
    /// The stored id as text, for messages; nil if it is sensitive.
    package let id: String?
    /// Where the store has the record; empty if it is never set aside later.
    package let place: [UInt8]
    /// The index of the first version to apply.
    let start: Int

    /// A stored record.
    package init(_ values: [StoredValue], id: String?, at place: [UInt8] = []) {
        self.values = values
        self.id = id
        self.place = place
        start = 0
    }

    /// A record as ``stored(_:)`` writes it; nil for any other value.
    fileprivate init?(_ stored: StoredValue, start: Int) {
        guard case .list(let parts) = stored, parts.count == 3, case .list(let values) = parts[1],
            case .data(let place) = parts[2]
        else { return nil }
        self.values = values
        self.place = Array(place)
        if case .text(let id) = parts[0] { self.id = id } else { id = nil }
        self.start = start
    }

    /// The record with other values as one value.
    fileprivate func stored(_ values: [StoredValue]) -> StoredValue {
        .list([id.map(StoredValue.text) ?? .null, .list(values), .data(Data(place))])
    }
}

extension RowProgram {
    /// Whether ids change in another way than by value.
    package var changesIDs: Bool { versions.contains(where: \.changesIDs) }
}

extension MigrationFunctionFailure {
    /// The error for a function that threw, without its text.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - id: the id of the record as text; nil if it is sensitive.
    func error(table: String, id: String?) -> CRUDRepositoryError {
        let record = id.map { "the record '\($0)'" } ?? "a record"
        return CRUDRepositoryError(
            .schemaMismatch,
            "The migration function '\(function)' failed for \(record) of '\(table)'. Nothing was changed.",
            id: id, table: table)
    }
}
