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
    private var indexes = TableIndexes<E.ID>(E.Mapper.table)
    private let hasNoIndexes = TableIndexes<E.ID>.areEmpty(for: E.Mapper.table)
    /// The new ids in their order; nil while that is not known.
    private var sortedNewIDs: [E.ID]?
    /// The committed ids in their order, which stay as they are while the write runs.
    private var sortedCommittedIDs: [E.ID]?
    /// Whether the committed indexes were brought up to date for this write.
    var hasFreshIndexes = false

    /// Whether nothing has changed.
    var isEmpty: Bool { records.isEmpty }

    /// Makes a record what it is to be, nil for gone; returns what takes that back.
    mutating func set(_ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool) -> Earlier {
        let earlier = Earlier(
            record: records.updateValue(record, forKey: id), row: rows[id], wasThere: wasThere)
        if earlier.record == nil, !wasThere { isNew.insert(id) }
        count(from: wasThere, to: record != nil)
        if !hasNoIndexes {
            rows[id] = .some(row)
            indexes.set(id, row)
        }
        return earlier
    }

    /// Takes back the last change of a record.
    mutating func restore(_ id: E.ID, _ earlier: Earlier) {
        count(from: records[id].flatMap { $0 } != nil, to: earlier.wasThere)
        records[id] = earlier.record
        if earlier.record == nil { isNew.remove(id) }
        if hasNoIndexes { return }
        rows[id] = earlier.row
        indexes.set(id, earlier.row.flatMap { $0 })
    }

    private mutating func count(from wasThere: Bool, to isThere: Bool) {
        if wasThere == isThere { return }
        balance += isThere ? 1 : -1
        sortedNewIDs = nil
    }

    /// The unique index in which another changed record has the values of this one.
    func conflict(_ id: E.ID, _ row: [StoredValue]) -> Int? {
        indexes.conflict(id, row, except: { _ in false })
    }

    /// The ids of the changed records with these values in the leading fields of an index.
    func ids(index: Int, values: [StoredValue]) -> [E.ID] {
        indexes.ids(index: index, values: values)
    }

    /// The ids of the changed records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) -> [E.ID] {
        indexes.ids(referringThrough: field, to: target)
    }

    /// The ids of new records, in id order.
    mutating func newIDs() -> [E.ID] {
        if let sortedNewIDs { return sortedNewIDs }
        let ids = isNew.filter { records[$0].flatMap { $0 } != nil }.sorted()
        sortedNewIDs = ids
        return ids
    }

    /// The ids of the committed state, in id order.
    mutating func committedIDs(_ storage: any TableStorage<E>) throws -> [E.ID] {
        if let sortedCommittedIDs { return sortedCommittedIDs }
        let ids = try storage.sortedIDs()
        sortedCommittedIDs = ids
        return ids
    }
}
