/// One table of a store as the open write sees it: the committed state with the changes of the
/// write on top.
///
/// Readers outside the write use ``committed`` only. Not thread-safe: callers hold the lock of the
/// store.
///
/// A write calls ``set(_:_:row:wasThere:in:)`` for each change, then either ``stage()`` and
/// ``finish()``, or ``abandon()``.
final class StoreTable<E: Entity> {
    /// The committed state, which the write does not change before it is applied.
    let committed: CommittedTable<E>
    /// The changes of the open write.
    private(set) var overlay: TableOverlay<E>
    /// Whether the table is registered with the open write as changed.
    private var isTouched = false
    /// The external data that may have chunks although no committed record has it: what the open
    /// write has stored, and what its records lose.
    var unsettled: Set<ExternalContent<E.ID>> = []
    /// Whether the changes of the write are being applied. If that fails, it is not known here which
    /// records are committed.
    private var isStaged = false
    /// The declared table.
    let description: EntityTable

    /// Creates a table over its storage, without changes.
    init(_ storage: any TableStorage<E>) {
        committed = CommittedTable(storage)
        overlay = TableOverlay(committed.forms)
        description = E.Mapper.table
    }

    /// The fields whose references the store enforces.
    var keptReferences: [(field: Int, reference: TableReference)] {
        committed.forms.keptReferences
    }

    /// Returns the field values of a record, in the order of the fields.
    static func row(of record: E) throws -> [StoredValue] {
        try StoredValueEncoder.values(of: record, E.Mapper.self)
    }

    /// Returns the record with an id; nil if there is none.
    func record(_ id: E.ID) throws -> E? {
        if let change = overlay.change(of: id) { return change }
        return try committed.storage.record(id)
    }

    /// Returns whether there is a record with an id.
    func contains(_ id: E.ID) throws -> Bool {
        if let change = overlay.change(of: id) { return change != nil }
        return try committed.storage.contains(id)
    }

    /// Sets a record, or deletes it if the record is nil.
    ///
    /// - Parameters:
    ///   - id: the id of the record.
    ///   - record: the new record; nil to delete it.
    ///   - row: the field values of the record; nil to delete it.
    ///   - wasThere: whether the record existed until now.
    ///   - write: the open write, which registers the table and receives the undo step.
    func set(
        _ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool, in write: StoreWrite
    ) {
        if !isTouched { write.touch(self) }
        isTouched = true
        let earlier = overlay.set(id, record, row: row, wasThere: wasThere)
        // The closure is created only for undoable writes; most writes are not.
        if write.isUndoable { write.toUndo { [self] in overlay.restore(id, earlier) } }
    }

    /// Refreshes the committed indexes once per write.
    private func refreshIndexes() throws {
        if overlay.hasFreshIndexes { return }
        try committed.refreshIndexes()
        // No one else can write while this write runs.
        overlay.hasFreshIndexes = true
    }

    /// Returns the unique index in which another record has the same values; nil if there is none.
    func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> TableIndex? {
        if committed.forms.unique.isEmpty { return nil }
        try refreshIndexes()
        let index =
            try overlay.conflict(id, row)
            ?? committed.repairing {
                try committed.conflict(id, row) { overlay.changes[$0] != nil }
            }
        return index.map { description.indexes[$0] }
    }

    /// Checks the unique indexes for a record that the write has set.
    ///
    /// - Throws: `constraintViolated` if another record has the same values.
    func requireUnique(_ id: E.ID) throws {
        guard let row = overlay.changes[id]?.row, let index = try conflict(id, row) else { return }
        throw description.notUnique(index, id: id.description)
    }

    /// Returns the first ids of a scan, in its order.
    func ids(_ scan: IndexScan, limit: Int) throws -> [E.ID] {
        if scan.index == IndexScan.ids {
            guard let other = committed.forms.indexScan(for: scan, key: description.key) else {
                return try ids(ofIDScan: scan, limit: limit)
            }
            return try ids(other, limit: limit)
        }
        try refreshIndexes()
        let form = committed.forms.forms[scan.index]
        return try committed.repairing {
            let keys = try committed.keys(scan.index)
            if overlay.isEmpty {
                return try keys.walk(scan, form, limit: limit).map { try form.known($0) }
            }
            let changed = ChangedKeys(base: keys, added: try overlay.keys(scan.index)) {
                [overlay] key in
                form.id(of: key, E.ID.self).map { overlay.changes[$0] != nil } ?? true
            }
            return try changed.walk(scan, form, limit: limit).map { try form.known($0) }
        }
    }

    /// Returns the records that the search index finds, and all that the write has changed; nil if
    /// the table is not searched.
    func search(_ query: SearchQuery) throws -> SearchHits? {
        guard committed.forms.search != nil else { return nil }
        try refreshIndexes()
        guard var hits = try committed.repairing({ try committed.search(query) }) else {
            return nil
        }
        if overlay.isEmpty { return hits }
        let changed = try Set(
            overlay.changes.keys.map { try StoredValueEncoder.components(of: $0) })
        hits.ranked.removeAll { changed.contains($0.id) }
        hits.unranked.removeAll { changed.contains($0) }
        hits.unranked += changed
        return hits
    }

    /// Returns the first ids of an id scan if no index stores them in that order. Sorts all ids on
    /// first use.
    private func ids(ofIDScan scan: IndexScan, limit: Int) throws -> [E.ID] {
        let form = IndexKeyForm(ids: description)
        let range = form.rest(of: scan)
        var ids = try overlay.committedIDs(committed.storage).slice(in: range, form).filter {
            if let change = overlay.change(of: $0) { return change != nil }
            return true
        }
        let new = try overlay.newIDs().slice(in: range, form)
        if !new.isEmpty {
            ids += new
            ids.sort()
        }
        if scan.isReversed { ids.reverse() }
        return Array(ids.prefix(Swift.max(0, limit)))
    }

    /// Returns the ids of the records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) throws -> [E.ID] {
        guard let scan = committed.forms.scan(referringThrough: field, to: target) else {
            return []
        }
        return try ids(scan, limit: .max)
    }

    /// Returns whether a record that the write has changed refers to a target through a field.
    func hasChangedReferrers(_ field: Int, to target: StoredValue) throws -> Bool {
        guard let scan = committed.forms.scan(referringThrough: field, to: target) else {
            return false
        }
        let form = committed.forms.forms[scan.index]
        return try !overlay.keys(scan.index).ascending(form.range(of: scan), limit: 1).isEmpty
    }
}

extension IndexKeyForm {
    /// Returns the id in a key of an index.
    ///
    /// - Throws: `IndexFailure.noKey` if the bytes are not a key of the index.
    func known<ID: EntityIdentifier>(_ key: IndexKey) throws -> ID {
        guard let id = id(of: key, ID.self) else { throw IndexFailure.noKey }
        return id
    }
}

extension StoreTable {
    /// Returns the number of records.
    func count() throws -> Int { try committed.storage.count() + overlay.balance }

    /// Returns up to `limit` ids after an id, in id order; from the first id if it is nil.
    ///
    /// Merges the sorted committed ids with the sorted new ids.
    func ids(after id: E.ID?, limit: Int) throws -> [E.ID] {
        let committedIDs = try overlay.committedIDs(committed.storage)
        var old = committedIDs[(id.map { committedIDs.firstIndex(after: $0) } ?? 0)...]
        let newIDs = overlay.newIDs()
        var new = newIDs[(id.map { newIDs.firstIndex(after: $0) } ?? 0)...]
        var ids: [E.ID] = []
        while ids.count < limit {
            if let first = old.first, let change = overlay.change(of: first), change == nil {
                old.removeFirst()
            } else if let first = old.first, new.first.map({ first < $0 }) ?? true {
                ids.append(first)
                old.removeFirst()
            } else if let first = new.popFirst() {
                ids.append(first)
            } else {
                break
            }
        }
        return ids
    }
}

extension StoreTable {
    /// The ids that the write has changed, in their text representation. Records created and
    /// deleted in the same write are not included.
    var changedIDs: [String] {
        var ids: [String] = []
        for (id, change) in overlay.changes {
            if change.record == nil, overlay.isNew.contains(id) { continue }
            ids.append(id.description)
        }
        return ids
    }

    /// Passes the changes of the write to the indexes and to the storage.
    func stage() throws {
        try unsettleReplaced()
        isStaged = true
        try committed.stage(overlay.changes, isNew: overlay.isNew)
        try committed.storage.stage(overlay.changes, isNew: overlay.isNew, committed.forms)
    }

    /// Ends a write that was applied.
    func finish() {
        committed.indexes?.finish()
        settle()
        isStaged = false
        abandon()
    }

    /// Discards the changes of the write.
    func abandon() {
        committed.indexes?.abandon()
        // The next writer settles what may be committed.
        if isStaged { unsettled = [] }
        isStaged = false
        settle()
        // A write may have read the table without changing it, so this also happens for an
        // unchanged table.
        overlay.forgetCommitted()
        guard isTouched else { return }
        overlay = TableOverlay(committed.forms)
        isTouched = false
    }
}
