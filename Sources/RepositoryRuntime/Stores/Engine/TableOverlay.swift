/// What a running write has changed in a table, on top of its committed state.
struct TableOverlay<E: Entity> {
    /// What a record was in the overlay before a change of it.
    struct Earlier {
        fileprivate var record: E??
        fileprivate var row: [StoredValue]??
        fileprivate var wasThere: Bool
    }

    /// What has become of records; nil for those that are gone.
    private(set) var records: [E.ID: E?] = [:]
    /// The ids of `records` that are not in the committed state.
    private(set) var isNew: Set<E.ID> = []
    /// The fields of the records, nil for those that are gone.
    private(set) var rows: [E.ID: [StoredValue]?] = [:]
    /// How many more records there are than in the committed state.
    private(set) var balance = 0
    private var indexes: MemoryTableIndexes
    private let hasNoIndexes: Bool
    /// The new ids in their order; nil while that is not known.
    private var sortedNewIDs: [E.ID]?
    /// The committed ids in their order, which stay as they are while the write runs.
    private var sortedCommittedIDs: [E.ID]?
    /// Whether the committed indexes were brought up to date for this write.
    var hasFreshIndexes = false

    /// Makes an overlay that changes nothing.
    init(_ forms: TableIndexForms) {
        indexes = MemoryTableIndexes(forms)
        hasNoIndexes = forms.isEmpty
    }

    /// Whether nothing has changed.
    var isEmpty: Bool { records.isEmpty }

    /// What has become of a record, nil for gone; nil where nothing has.
    func change(of id: E.ID) -> E?? {
        // An id is hashed by generic code, which most tables can be spared.
        isEmpty ? nil : records[id]
    }

    /// Makes a record what it is to be, nil for gone; returns what takes that back.
    mutating func set(_ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool) -> Earlier {
        let earlier = Earlier(
            record: records.updateValue(record, forKey: id),
            row: hasNoIndexes ? nil : rows[id], wasThere: wasThere)
        if earlier.record == nil, !wasThere { isNew.insert(id) }
        count(from: wasThere, to: record != nil)
        if !hasNoIndexes {
            rows[id] = .some(row)
            indexes.change(from: earlier.row.flatMap { $0 }, to: row)
        }
        return earlier
    }

    /// Takes back the last change of a record.
    mutating func restore(_ id: E.ID, _ earlier: Earlier) {
        count(from: records[id].flatMap { $0 } != nil, to: earlier.wasThere)
        records[id] = earlier.record
        if earlier.record == nil { isNew.remove(id) }
        if hasNoIndexes { return }
        indexes.change(from: rows[id].flatMap { $0 }, to: earlier.row.flatMap { $0 })
        rows[id] = earlier.row
    }

    private mutating func count(from wasThere: Bool, to isThere: Bool) {
        if wasThere == isThere { return }
        balance += isThere ? 1 : -1
        sortedNewIDs = nil
    }

    /// The unique index in which another changed record has the values of this one.
    func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> Int? {
        try indexes.forms.conflict(id, row, in: indexes.keys, except: { _ in false })
    }

    /// The keys of the changed records in an index.
    func keys(_ position: Int) throws -> any OrderedKeys { try indexes.keys(position) }

    /// The ids of new records, in id order.
    mutating func newIDs() -> [E.ID] {
        if let sortedNewIDs { return sortedNewIDs }
        let ids = isNew.filter { records[$0].flatMap { $0 } != nil }.sorted()
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
