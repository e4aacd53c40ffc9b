internal import Foundation

/// The non-generic superclass of a table's storage. A read by id uses it to find the record without
/// generic code.
class MemoryTableRows {
    /// The records, in a type that is not generic over the entity.
    final var rows: MemoryRows

    init(_ table: EntityTable) {
        rows = MemoryRows(table)
    }
}

/// The records of one table as Swift values.
///
/// Staging applies the changes at once. There is no separate step to apply them, because a table in
/// memory cannot fail after its changes are prepared.
final class MemoryStorage<E: Entity>: MemoryTableRows, TableStorage {
    /// The keys of the search index; nil until the first search.
    private var search: IndexPages<MemoryIndexPages>?
    /// The chunks of external data.
    private var chunks: [ExternalContent<E.ID>: [Data]] = [:]

    init() {
        super.init(E.Mapper.table)
    }

    func record(_ id: E.ID) throws -> E? { try rows.records[id.storedKey()]?.entity(E.self) }

    func contains(_ id: E.ID) throws -> Bool { try rows.records[id.storedKey()] != nil }

    func ids() -> [E.ID] { rows.records.values.map { $0.entity(E.self).id } }

    func count() -> Int { rows.records.count }

    /// Returns all ids, in id order.
    func sortedIDs() -> [E.ID] { ordered().values().map { $0.entity(E.self).id } }

    /// Returns up to `limit` records after an id, in id order.
    func page(after id: E.ID?, limit: Int) throws -> [E] {
        let order = ordered()
        var range = IndexKeyRange.all
        if let id { range = try range.after(rows.idForm.key(ofID: id.storedKey())) }
        return order.values(range, limit: limit).entities(E.self)
    }

    /// Returns the records in id order. Builds the order on first use.
    func ordered() -> OrderedTree<MemoryRecord> {
        rows.makeOrder()
        return rows.order ?? OrderedTree()
    }

    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes {
        MemoryCommittedIndexes(self, forms)
    }

    /// Applies the changes of a write to the records and the indexes.
    func stage(
        _ changes: [E.ID: TableChange<E>], isNew: Set<E.ID>, _ forms: TableIndexForms
    ) throws {
        // Everything that can throw runs before the first change, so that the step is atomic.
        let prepared = try changes.map { id, change in
            (
                id: try id.storedKey(),
                record: try change.record.map { try made($0, change.row, forms) }
            )
        }
        if let form = forms.search, search != nil { search = try searched(changes, form) }
        for change in prepared { rows.set(change.record, for: change.id, forms) }
    }

    /// Returns the keys of the search index after the changes of a write.
    private func searched(
        _ changes: [E.ID: TableChange<E>], _ form: SearchKeyForm
    ) throws -> IndexPages<MemoryIndexPages>? {
        var inserting: Set<IndexKey> = []
        var removing: Set<IndexKey> = []
        for (id, change) in changes {
            if let old = try record(id) {
                removing.formUnion(form.keys(of: try StoreTable.row(of: old)))
            }
            guard let new = change.record else { continue }
            inserting.formUnion(form.keys(of: try change.row ?? StoreTable.row(of: new)))
        }
        var keys = search
        let added = Array(inserting.subtracting(removing))
        try keys?.apply(inserting: added, removing: Array(removing.subtracting(inserting)))
        return keys
    }

    /// Returns the keys of the search index. Builds them on first use.
    func searchKeys(_ form: SearchKeyForm) throws -> IndexPages<MemoryIndexPages> {
        if let search { return search }
        var keys: [IndexKey] = []
        for record in rows.records.values {
            keys += form.keys(of: try StoreTable.row(of: record.entity(E.self)))
        }
        let pages = try IndexPages(MemoryIndexPages(), sorted: keys.sorted())
        search = pages
        return pages
    }

    /// Returns the stored object for a record, with its index keys if the indexes exist.
    private func made(
        _ record: E, _ row: [StoredValue]?, _ forms: TableIndexForms
    ) throws -> MemoryRecord {
        guard rows.indexes != nil else { return MemoryRecordOf(record, keys: []) }
        let row = try row ?? StoreTable.row(of: record)
        return MemoryRecordOf(record, keys: forms.forms.map { $0.key(of: row) })
    }

    func write(_ chunk: Data, _ index: Int, of content: ExternalContent<E.ID>) {
        // The bytes may be a part of a larger value, which the copy releases.
        chunks[content, default: []].replaceSubrange(
            min(index, chunks[content]?.count ?? 0)..., with: [Data(Array(chunk))])
    }

    func chunk(_ index: Int, of content: ExternalContent<E.ID>) -> Data? {
        guard let parts = chunks[content], parts.indices.contains(index) else { return nil }
        return parts[index]
    }

    func removeChunks(of content: ExternalContent<E.ID>) { chunks[content] = nil }

    func removeChunks(except contents: Set<ExternalContent<E.ID>>) {
        chunks = chunks.filter { contents.contains($0.key) }
    }

    /// Does nothing: the write ends before the process, or with it.
    func noteUnsettled(_ contents: Set<ExternalContent<E.ID>>) {}

    func unsettled() -> Set<ExternalContent<E.ID>> { [] }

    /// Builds the indexes from all records.
    func makeIndexes(_ forms: TableIndexForms) throws {
        try rows.makeIndexes(forms.forms.count) { record in
            let entity = record.entity(E.self)
            let row = try StoreTable.row(of: entity)
            return MemoryRecordOf(entity, keys: forms.forms.map { $0.key(of: row) })
        }
    }
}

extension EntityIdentifier {
    /// Returns the stored representation of the id. An id of several components is the list of
    /// them.
    func storedKey() throws -> StoredValue {
        if Self.componentCount > 1 { return .list(try StoredValueEncoder.components(of: self)) }
        var encoder = SingleValueEncoder()
        try encodeComponents(to: &encoder)
        return encoder.value
    }
}

/// Creates an in-memory storage for each table.
struct MemorySource: TableStorageSource {
    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E> { MemoryStorage<E>() }
}
