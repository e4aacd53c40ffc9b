/// One table of a store as a write sees it: the stored records, what the write has changed so far, and the indexes.
final class StoreTable<E: Entity> {
    /// Whether the indexes follow what the running write does.
    private enum Upkeep {
        /// Nobody has asked yet.
        case unknown
        /// They do.
        case kept
        /// They are not made, or of an earlier state, and nobody needs them yet.
        case dropped
    }

    let storage: any TableStorage<E>
    private var indexes = TableIndexes<E.ID>(E.Mapper.table)
    /// The state of the records that `indexes` were made of; nil when they were made of none.
    private var indexStamp: DocumentStamp?
    private var upkeep = Upkeep.unknown
    /// Whether the running write made the indexes anew from its own changes, so that they cannot be taken back.
    private var isRebuilt = false
    /// What the running write has made of records; nil for those it removed.
    private var changed: [E.ID: E?] = [:]
    private var isNew: Set<E.ID> = []
    private let hasNoIndexes = TableIndexes<E.ID>.areEmpty(for: E.Mapper.table)

    init(_ storage: any TableStorage<E>) {
        self.storage = storage
    }

    var description: EntityTable { E.Mapper.table }

    /// The record of an id as the running write sees it.
    func record(_ id: E.ID) throws -> E? {
        if let change = changed[id] { return change }
        return try storage.record(id)
    }

    /// Whether there is a record of an id, as the running write sees it.
    func contains(_ id: E.ID) throws -> Bool {
        if let change = changed[id] { return change != nil }
        return try storage.contains(id)
    }

    /// Makes a record what it is to be; nil removes it.
    ///
    /// - Parameters:
    ///   - row: the fields of the record, nil when it is removed.
    ///   - wasThere: whether there was one until now.
    func set(
        _ id: E.ID, _ record: E?, row: [StoredValue]?, wasThere: Bool, in write: StoreWrite
    ) throws {
        if upkeep == .unknown, !hasNoIndexes {
            let stamp = try storage.stamp()
            upkeep = stamp != nil && stamp == indexStamp ? .kept : .dropped
        }
        let isFirst = changed[id] == nil
        let earlier = changed.updateValue(record, forKey: id)
        if isFirst, !wasThere { isNew.insert(id) }
        let keepsIndexes = upkeep == .kept
        let oldRow = keepsIndexes ? indexes.set(id, row) : nil
        write.toUndo { [self] in
            changed[id] = earlier
            if isFirst { isNew.remove(id) }
            if keepsIndexes { indexes.set(id, oldRow) }
        }
    }

    /// Brings the indexes up to date: reads all records where somebody else has written since.
    ///
    /// A record that cannot be read stands in none of them; it is found by its id alone.
    func refreshIndexes() throws {
        if hasNoIndexes || upkeep == .kept { return }
        let stamp = try storage.stamp()
        if upkeep == .unknown, let stamp, stamp == indexStamp {
            upkeep = .kept
            return
        }
        var fresh = TableIndexes<E.ID>(description)
        for id in try storage.ids() where changed[id] == nil {
            do {
                guard let record = try storage.record(id) else { continue }
                fresh.set(id, try Self.row(of: record))
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                continue
            }
        }
        for (id, record) in changed { fresh.set(id, try record.map(Self.row)) }
        isRebuilt = !changed.isEmpty
        indexes = fresh
        indexStamp = stamp
        upkeep = .kept
    }

    static func row(of record: E) throws -> [StoredValue] {
        try StoredValueEncoder.values(of: record, E.Mapper.self)
    }

    /// The unique index in which another record has the values of this one.
    func conflict(_ id: E.ID, _ row: [StoredValue]) throws -> TableIndex? {
        guard description.indexes.contains(where: \.isUnique) else { return nil }
        try refreshIndexes()
        return indexes.conflict(id, row).map { description.indexes[$0] }
    }

    /// The ids of the records with these values in the leading fields of an index.
    func ids(index: Int, values: [StoredValue]) throws -> [E.ID] {
        try refreshIndexes()
        return indexes.ids(index: index, values: values)
    }

    /// The ids of the records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) throws -> [E.ID] {
        try refreshIndexes()
        return indexes.ids(referringThrough: field, to: target)
    }
}

extension StoreTable {
    /// Hands what the write has changed to the storage.
    func stage() throws {
        if !changed.isEmpty { try storage.stage(changed, isNew: isNew) }
    }

    /// Ends a write that has happened.
    func finish() {
        // Without a stamp the records are read anew the next time.
        if upkeep == .kept, !changed.isEmpty { indexStamp = try? storage.stamp() }
        clear()
    }

    /// Ends a write that has been undone, or a look.
    func abandon() {
        if isRebuilt { indexStamp = nil }
        clear()
    }

    private func clear() {
        changed = [:]
        isNew = []
        isRebuilt = false
        upkeep = .unknown
    }
}
