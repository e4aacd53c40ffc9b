/// One table of a store as the running write sees it: the committed state and, on top of it, what the write has changed.
///
/// Those outside the write look at the committed state alone.
final class StoreTable<E: Entity> {
    let committed: CommittedTable<E>
    private(set) var overlay = TableOverlay<E>()
    /// Whether the running write knows that it has changed the table.
    private var isTouched = false
    /// Whether the write that is about to happen takes the committed indexes along.
    private var takesIndexesAlong = false

    init(_ storage: any TableStorage<E>) {
        committed = CommittedTable(storage)
    }

    var description: EntityTable { E.Mapper.table }

    static func row(of record: E) throws -> [StoredValue] {
        try StoredValueEncoder.values(of: record, E.Mapper.self)
    }

    /// The record of an id.
    func record(_ id: E.ID) throws -> E? {
        if let change = overlay.records[id] { return change }
        return try committed.storage.record(id)
    }

    /// Whether there is a record of an id.
    func contains(_ id: E.ID) throws -> Bool {
        if let change = overlay.records[id] { return change != nil }
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
        write.toUndo { [self] in overlay.restore(id, earlier) }
    }

    private func refreshIndexes() throws {
        if overlay.hasFreshIndexes { return }
        try committed.refreshIndexes()
        // Nobody else writes while this write runs.
        overlay.hasFreshIndexes = true
    }

    /// The unique index in which another record has the values of this one.
    func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> TableIndex? {
        guard description.indexes.contains(where: \.isUnique) else { return nil }
        try refreshIndexes()
        let index =
            overlay.conflict(id, row)
            ?? committed.conflict(id, row) { overlay.records[$0] != nil }
        return index.map { description.indexes[$0] }
    }

    /// The ids of the records with these values in the leading fields of an index.
    func ids(index: Int, values: [StoredValue]) throws -> [E.ID] {
        try refreshIndexes()
        return committed.ids(index: index, values: values).filter { overlay.records[$0] == nil }
            + overlay.ids(index: index, values: values)
    }

    /// The ids of the records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) throws -> [E.ID] {
        try refreshIndexes()
        return committed.ids(referringThrough: field, to: target)
            .filter { overlay.records[$0] == nil }
            + overlay.ids(referringThrough: field, to: target)
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
            if let first = old.first, let change = overlay.records[first], change == nil {
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
        for (id, record) in overlay.records where record != nil || !overlay.isNew.contains(id) {
            ids.append(id.description)
        }
        return ids
    }

    /// Hands what the write has changed to the storage.
    func stage() throws {
        takesIndexesAlong = try overlay.hasFreshIndexes || committed.indexesAreCurrent()
        try committed.storage.stage(overlay.records, isNew: overlay.isNew)
    }

    /// Ends a write that has happened.
    func finish() {
        if takesIndexesAlong { committed.take(overlay.rows) }
        abandon()
    }

    /// Forgets what the write has changed.
    func abandon() {
        overlay.hasFreshIndexes = false
        guard isTouched else { return }
        overlay = TableOverlay()
        isTouched = false
    }
}
