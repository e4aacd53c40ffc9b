/// The committed state of a table: its records, and the indexes that are derived from them.
///
/// What a running write has changed is no part of it until the write has happened.
final class CommittedTable<E: Entity> {
    let storage: any TableStorage<E>
    private var indexes = TableIndexes<E.ID>(E.Mapper.table)
    /// The state of the records that `indexes` were made of; nil when they were made of none.
    private var indexStamp: DocumentStamp?
    private let hasNoIndexes = TableIndexes<E.ID>.areEmpty(for: E.Mapper.table)

    init(_ storage: any TableStorage<E>) {
        self.storage = storage
    }

    /// Brings the indexes up to date: reads all records where somebody else has written since.
    ///
    /// A record that cannot be read stands in none of them; it is found by its id alone.
    func refreshIndexes() throws {
        if hasNoIndexes { return }
        let stamp = try storage.stamp()
        if let stamp, stamp == indexStamp { return }
        var fresh = TableIndexes<E.ID>(E.Mapper.table)
        for id in try storage.ids() {
            do {
                guard let record = try storage.record(id) else { continue }
                fresh.set(id, try StoreTable.row(of: record))
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                continue
            }
        }
        indexes = fresh
        indexStamp = stamp
    }

    /// Whether the indexes are of the present state of the records, so that a write can take them along.
    func indexesAreCurrent() throws -> Bool {
        guard !hasNoIndexes, let indexStamp else { return false }
        return try storage.stamp() == indexStamp
    }

    /// Takes over the rows that a write has changed, nil for those that are gone.
    func take(_ rows: [E.ID: [StoredValue]?]) {
        for (id, row) in rows { indexes.set(id, row) }
        // Without a stamp the records are read anew the next time.
        indexStamp = try? storage.stamp()
    }

    /// The unique index in which another record has the values of this one, those left out that a body answers true for.
    func conflict(
        _ id: E.ID, _ row: [StoredValue], except isLeftOut: (E.ID) -> Bool
    ) -> Int? {
        indexes.conflict(id, row, except: isLeftOut)
    }

    /// The ids of the records with these values in the leading fields of an index, as of the last refreshing.
    func ids(index: Int, values: [StoredValue]) -> [E.ID] {
        indexes.ids(index: index, values: values)
    }

    /// The ids of the records that refer to a target through a field, as of the last refreshing.
    func ids(referringThrough field: Int, to target: StoredValue) -> [E.ID] {
        indexes.ids(referringThrough: field, to: target)
    }
}
