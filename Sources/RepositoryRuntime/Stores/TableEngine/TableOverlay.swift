/// What a running write has made of a record.
struct TableChange<E: Entity> {
    /// The record; nil where it is gone.
    var record: E?
    /// Its fields, where the table has indexes; nil where it is gone.
    var row: [StoredValue]?
}

/// What a running write has changed in a table, on top of its committed state.
struct TableOverlay<E: Entity> {
    /// What a record was in the overlay before a change of it.
    struct Earlier {
        fileprivate var change: TableChange<E>?
        fileprivate var wasThere: Bool
    }

    /// What has become of records.
    private(set) var changes: [E.ID: TableChange<E>] = [:]
    /// The ids of `changes` that are not in the committed state.
    private(set) var isNew: Set<E.ID> = []
    /// How many more records there are than in the committed state.
    private(set) var balance = 0
    private let forms: TableIndexForms
    /// The keys of the changed records; nil until somebody asks for any, which most writes do not.
    private var indexes: MemoryTableIndexes?
    /// The new ids in their order; nil while that is not known.
    private var sortedNewIDs: [E.ID]?
    /// The committed ids in their order, which stay as they are while the write runs.
    private var sortedCommittedIDs: [E.ID]?
    /// Whether the committed indexes were brought up to date for this write.
    var hasFreshIndexes = false

    /// Makes an overlay that changes nothing.
    init(_ forms: TableIndexForms) {
        self.forms = forms
    }

    /// Whether nothing has changed.
    var isEmpty: Bool { changes.isEmpty }

    /// What has become of a record, nil for gone; nil where nothing has.
    func change(of id: E.ID) -> E?? {
        // An id is hashed by generic code, which most tables can be spared.
        isEmpty ? nil : changes[id].map(\.record)
    }

    /// Makes a record what it is to be, nil for gone; returns what takes that back.
    mutating func set(_ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool) -> Earlier {
        let kept = forms.isEmpty ? nil : row
        let earlier = changes.updateValue(TableChange(record: record, row: kept), forKey: id)
        if earlier == nil, !wasThere { isNew.insert(id) }
        count(from: wasThere, to: record != nil)
        indexes?.change(from: earlier?.row, to: kept)
        return Earlier(change: earlier, wasThere: wasThere)
    }

    /// Takes back the last change of a record.
    mutating func restore(_ id: E.ID, _ earlier: Earlier) {
        let change = changes[id]
        count(from: change?.record != nil, to: earlier.wasThere)
        changes[id] = earlier.change
        if earlier.change == nil { isNew.remove(id) }
        indexes?.change(from: change?.row, to: earlier.change?.row)
    }

    private mutating func count(from wasThere: Bool, to isThere: Bool) {
        if wasThere == isThere { return }
        balance += isThere ? 1 : -1
        sortedNewIDs = nil
    }

    /// The unique index in which another changed record has the values of this one.
    mutating func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> Int? {
        try forms.conflict(id, row, in: made().keys, except: { _ in false })
    }

    /// The keys of the changed records in an index.
    mutating func keys(_ position: Int) throws -> any OrderedKeys { try made().keys(position) }

    /// The indexes, made of what has changed so far where nobody has asked before.
    private mutating func made() throws -> MemoryTableIndexes {
        if let indexes { return indexes }
        let new = try MemoryTableIndexes(forms, rows: changes.values.compactMap(\.row))
        indexes = new
        return new
    }

    /// The ids of new records, in id order.
    mutating func newIDs() -> [E.ID] {
        if let sortedNewIDs { return sortedNewIDs }
        let ids = isNew.filter { changes[$0]?.record != nil }.sorted()
        sortedNewIDs = ids
        return ids
    }

    /// Forgets what is known of the committed state, which others may change from now on.
    mutating func forgetCommitted() {
        hasFreshIndexes = false
        sortedCommittedIDs = nil
    }

    /// The ids of the committed state, in id order.
    mutating func committedIDs(_ storage: any TableStorage<E>) throws -> [E.ID] {
        if let sortedCommittedIDs { return sortedCommittedIDs }
        let ids = try storage.sortedIDs()
        sortedCommittedIDs = ids
        return ids
    }
}
