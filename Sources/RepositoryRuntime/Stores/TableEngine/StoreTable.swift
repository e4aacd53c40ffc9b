/// One table of a store as the running write sees it: the committed state and, on top of it, what the write has changed.
///
/// Those outside the write look at the committed state alone.
final class StoreTable<E: Entity> {
    let committed: CommittedTable<E>
    private(set) var overlay: TableOverlay<E>
    /// Whether the running write knows that it has changed the table.
    private var isTouched = false
    let description: EntityTable

    init(_ storage: any TableStorage<E>) {
        committed = CommittedTable(storage)
        overlay = TableOverlay(committed.forms)
        description = E.Mapper.table
    }

    /// The fields whose references are kept.
    var keptReferences: [(field: Int, reference: TableReference)] {
        committed.forms.keptReferences
    }

    static func row(of record: E) throws -> [StoredValue] {
        try StoredValueEncoder.values(of: record, E.Mapper.self)
    }

    /// The record of an id.
    func record(_ id: E.ID) throws -> E? {
        if let change = overlay.change(of: id) { return change }
        return try committed.storage.record(id)
    }

    /// Whether there is a record of an id.
    func contains(_ id: E.ID) throws -> Bool {
        if let change = overlay.change(of: id) { return change != nil }
        return try committed.storage.contains(id)
    }

    /// Makes a record what it is to be; nil removes it.
    ///
    /// - Parameters:
    ///   - row: the fields of the record, nil when it is removed.
    ///   - wasThere: whether there was one until now.
    func set(
        _ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool, in write: StoreWrite
    ) {
        if !isTouched { write.touch(self) }
        isTouched = true
        let earlier = overlay.set(id, record, row: row, wasThere: wasThere)
        // Most writes are not taken back in parts: a step to do so is made of those that are.
        if write.isUndoable { write.toUndo { [self] in overlay.restore(id, earlier) } }
    }

    private func refreshIndexes() throws {
        if overlay.hasFreshIndexes { return }
        try committed.refreshIndexes()
        // Nobody else writes while this write runs.
        overlay.hasFreshIndexes = true
    }

    /// The unique index in which another record has the values of this one.
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

    /// The ids that a scan finds, in its order.
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

    /// The ids that a scan of them finds, where no index holds them in that order.
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

    /// The ids of the records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) throws -> [E.ID] {
        guard let scan = committed.forms.scan(referringThrough: field, to: target) else {
            return []
        }
        return try ids(scan, limit: .max)
    }

    /// Whether a record that the write has changed refers to a target through a field.
    func hasChangedReferrers(_ field: Int, to target: StoredValue) throws -> Bool {
        guard let scan = committed.forms.scan(referringThrough: field, to: target) else {
            return false
        }
        let form = committed.forms.forms[scan.index]
        return try !overlay.keys(scan.index).ascending(form.range(of: scan), limit: 1).isEmpty
    }
}

extension IndexKeyForm {
    /// The id of a key that an index holds.
    ///
    /// - Throws: `noKey` for bytes that are no key of the index.
    func known<ID: EntityIdentifier>(_ key: IndexKey) throws -> ID {
        guard let id = id(of: key, ID.self) else { throw IndexFailure.noKey }
        return id
    }
}

extension StoreTable {
    /// The number of records.
    func count() throws -> Int { try committed.storage.count() + overlay.balance }

    /// The ids after one, in id order, `limit` at most; from the first when it is nil.
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
    /// What the write has changed, by id in its text form.
    var changedIDs: [String] {
        var ids: [String] = []
        for (id, change) in overlay.changes {
            if change.record == nil, overlay.isNew.contains(id) { continue }
            ids.append(id.description)
        }
        return ids
    }

    /// Hands what the write has changed to the storage.
    func stage() throws {
        try committed.stage(overlay.changes, isNew: overlay.isNew)
        try committed.storage.stage(overlay.changes, isNew: overlay.isNew, committed.forms)
    }

    /// Ends a write that has happened.
    func finish() {
        committed.indexes?.finish()
        abandon()
    }

    /// Forgets what the write has changed.
    func abandon() {
        committed.indexes?.abandon()
        // A write that changed nothing may have looked at the table.
        overlay.forgetCommitted()
        guard isTouched else { return }
        overlay = TableOverlay(committed.forms)
        isTouched = false
    }
}
