/// The change that an open write has made to a record.
struct TableChange<E: Entity> {
    /// The new record; nil if it was deleted.
    var record: E?
    /// Its field values, if the table has indexes; nil if it was deleted.
    var row: [StoredValue]?
}

/// The changes of an open write to a table, on top of the committed state.
///
/// ``StoreTable`` consults the overlay before the committed state. The overlay derives its indexes
/// and sorted ids on first use, so that writes that never query pay nothing for them.
struct TableOverlay<E: Entity> {
    /// The state of a record in the overlay before a change, for undoing the change.
    ///
    /// The overlay returns one for each change. ``StoreWrite`` stores it in its undo log.
    struct Earlier {
        fileprivate var change: TableChange<E>?
        fileprivate var wasThere: Bool
    }

    /// The changed records by id.
    private(set) var changes: [E.ID: TableChange<E>] = [:]
    /// The ids in `changes` that are not in the committed state.
    private(set) var isNew: Set<E.ID> = []
    /// The difference between the number of records now and in the committed state.
    private(set) var balance = 0
    /// The key layouts of the indexes.
    private let forms: TableIndexForms
    /// The keys of the changed records; nil until first used. Most writes do not use them.
    private var indexes: MemoryTableIndexes?
    /// The new ids in id order; nil if they must be sorted again.
    private var sortedNewIDs: [E.ID]?
    /// The committed ids in id order. They do not change while the write runs.
    private var sortedCommittedIDs: [E.ID]?
    /// Whether the committed indexes were refreshed for this write.
    var hasFreshIndexes = false

    /// Creates an overlay without changes.
    init(_ forms: TableIndexForms) {
        self.forms = forms
    }

    /// Whether nothing has changed.
    var isEmpty: Bool { changes.isEmpty }

    /// Returns the new record, or an inner nil if it was deleted. Returns an outer nil if the write
    /// has not changed the record.
    func change(of id: E.ID) -> E?? {
        // The emptiness check avoids hashing an id in generic code, which is slow. Most overlays
        // are empty.
        isEmpty ? nil : changes[id].map(\.record)
    }

    /// Sets a record, or deletes it if the record is nil. Returns the previous state for
    /// ``restore(_:_:)``.
    ///
    /// - Parameters:
    ///   - id: the id of the record.
    ///   - record: the new record; nil to delete it.
    ///   - row: the field values of the record; nil to delete it.
    ///   - wasThere: whether the record existed until now, in the overlay or in the committed
    ///     state.
    mutating func set(_ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool) -> Earlier {
        let kept = forms.isEmpty ? nil : row
        let earlier = changes.updateValue(TableChange(record: record, row: kept), forKey: id)
        if earlier == nil, !wasThere { isNew.insert(id) }
        count(from: wasThere, to: record != nil)
        indexes?.change(from: earlier?.row, to: kept)
        return Earlier(change: earlier, wasThere: wasThere)
    }

    /// Undoes the last change of a record. Changes must be undone in reverse order.
    mutating func restore(_ id: E.ID, _ earlier: Earlier) {
        let change = changes[id]
        count(from: change?.record != nil, to: earlier.wasThere)
        changes[id] = earlier.change
        if earlier.change == nil { isNew.remove(id) }
        indexes?.change(from: change?.row, to: earlier.change?.row)
    }

    /// Updates `balance` and invalidates the sorted new ids if the record appears or disappears.
    private mutating func count(from wasThere: Bool, to isThere: Bool) {
        if wasThere == isThere { return }
        balance += isThere ? 1 : -1
        sortedNewIDs = nil
    }

    /// Returns the position of the unique index in which another changed record has the same
    /// values; nil if there is none.
    ///
    /// Conflicts with committed records are found by ``CommittedTable/conflict(_:_:except:)``,
    /// which ignores the changed records.
    mutating func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> Int? {
        try forms.conflict(id, row, in: made().keys, except: { _ in false })
    }

    /// Returns the keys of the changed records in an index.
    mutating func keys(_ position: Int) throws -> any OrderedKeys { try made().keys(position) }

    /// Returns the indexes, built from the changes so far on first use.
    ///
    /// Takes O(*n* log *n*) for *n* changes on first use. Later changes update the indexes.
    private mutating func made() throws -> MemoryTableIndexes {
        if let indexes { return indexes }
        let new = try MemoryTableIndexes(forms, rows: changes.values.compactMap(\.row))
        indexes = new
        return new
    }

    /// Returns the ids of the new records, in id order.
    mutating func newIDs() -> [E.ID] {
        if let sortedNewIDs { return sortedNewIDs }
        let ids = isNew.filter { changes[$0]?.record != nil }.sorted()
        sortedNewIDs = ids
        return ids
    }

    /// Discards cached data of the committed state, which others may change from now on.
    mutating func forgetCommitted() {
        hasFreshIndexes = false
        sortedCommittedIDs = nil
    }

    /// Returns the ids of the committed state, in id order. Reads them from the storage on first
    /// use.
    mutating func committedIDs(_ storage: any TableStorage<E>) throws -> [E.ID] {
        if let sortedCommittedIDs { return sortedCommittedIDs }
        let ids = try storage.sortedIDs()
        sortedCommittedIDs = ids
        return ids
    }
}
