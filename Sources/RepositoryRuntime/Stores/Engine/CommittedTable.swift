/// The committed state of a table: its records, and the indexes that are derived from them.
///
/// What a running write has changed is no part of it until the write has happened.
final class CommittedTable<E: Entity> {
    let storage: any TableStorage<E>
    let forms = TableIndexForms(E.Mapper.table)
    private var indexes: MemoryTableIndexes
    /// The state of the records that `indexes` were made of; nil when they were made of none.
    private var indexStamp: DocumentStamp?

    init(_ storage: any TableStorage<E>) {
        self.storage = storage
        indexes = MemoryTableIndexes(forms)
    }

    /// Brings the indexes up to date: reads all records where somebody else has written since.
    ///
    /// A record that cannot be read stands in none of them; it is found by its id alone.
    func refreshIndexes() throws {
        if forms.isEmpty { return }
        let stamp = try storage.stamp()
        if let stamp, stamp == indexStamp { return }
        var rows: [[StoredValue]] = []
        for id in try storage.ids() {
            do {
                guard let record = try storage.record(id) else { continue }
                rows.append(try StoreTable.row(of: record))
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                continue
            }
        }
        indexes = try MemoryTableIndexes(forms, rows: rows)
        indexStamp = stamp
    }

    /// Whether the indexes are of the present state of the records, so that a write can take them along.
    func indexesAreCurrent() throws -> Bool {
        guard !forms.isEmpty, let indexStamp else { return false }
        return try storage.stamp() == indexStamp
    }

    /// What a write is about to make of rows: those that there are and those that there will be.
    ///
    /// - Returns: nil where a record cannot be read, so that the indexes must be made anew.
    func changes(
        to rows: [E.ID: [StoredValue]?], isNew: Set<E.ID>
    ) throws -> [RowChange]? {
        var changes: [RowChange] = []
        changes.reserveCapacity(rows.count)
        do {
            for (id, row) in rows {
                let old = isNew.contains(id) ? nil : try storage.record(id)
                changes.append(RowChange(old: try old.map(StoreTable.row), new: row))
            }
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
        return changes
    }

    /// Takes over the rows that a write has changed.
    func take(_ changes: [RowChange]) {
        for change in changes { indexes.change(from: change.old, to: change.new) }
        // Without a stamp the records are read anew the next time.
        indexStamp = try? storage.stamp()
    }

    /// The keys of an index, as of the last refreshing.
    func keys(_ position: Int) throws -> any OrderedKeys { try indexes.keys(position) }

    /// The unique index in which another record has the values of this one, those left out that a body answers true for.
    func conflict(
        _ id: E.ID, _ row: [StoredValue], except isLeftOut: (E.ID) -> Bool
    ) throws -> Int? {
        try indexes.conflict(id, row, except: isLeftOut)
    }
}

/// What a write makes of one record: its fields before and after; nil where there is none.
struct RowChange {
    var old: [StoredValue]?
    var new: [StoredValue]?
}
