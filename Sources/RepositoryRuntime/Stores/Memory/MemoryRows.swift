/// The records of a table in memory: a dictionary by id, and search trees for the id order and for
/// each index.
///
/// The type is not generic over the entity, so that the compiler emits one specialized, fast
/// implementation. The trees are built when first needed, so that filling a table costs nothing,
/// and are updated from then on.
struct MemoryRows: Sendable {
    /// The records by id, where the id is in its stored representation.
    private(set) var records: [StoredValue: MemoryRecord] = [:]
    /// The records in id order; nil until first used.
    private(set) var order: OrderedTree<MemoryRecord>?
    /// The records in the order of each index; nil until first used.
    private(set) var indexes: [OrderedTree<MemoryRecord>]?
    /// The cached lookup results of each index. Empty until the indexes are built.
    private(set) var found: [FoundRecords] = []
    /// The key layout of the id order.
    let idForm: IndexKeyForm

    /// Creates an empty table.
    init(_ table: EntityTable) {
        idForm = IndexKeyForm(ids: table)
    }

    /// Sets a record, or deletes it if it is nil. Updates the trees and the caches that exist.
    ///
    /// - Parameters:
    ///   - record: the new record, with its index keys if the indexes exist; nil to delete it.
    ///   - id: the id in its stored representation.
    ///   - forms: the key layouts of the indexes.
    mutating func set(_ record: MemoryRecord?, for id: StoredValue, _ forms: TableIndexForms) {
        let old: MemoryRecord?
        if let record {
            old = records.updateValue(record, forKey: id)
        } else {
            old = records.removeValue(forKey: id)
        }
        if old == nil, record == nil { return }
        if order != nil {
            let key = idForm.key(ofID: id)
            if let record {
                order?.updateValue(record, for: key)
            } else {
                order?.removeValue(for: key)
            }
        }
        guard let count = indexes?.count else { return }
        for index in 0..<count {
            let before = old?.keys[index] ?? nil
            let after = record?.keys[index] ?? nil
            found[index].forget(before == after ? [before] : [before, after], forms.forms[index])
            if let before, before != after { indexes?[index].removeValue(for: before) }
            if let after, let record { indexes?[index].updateValue(record, for: after) }
        }
    }

    /// Caches the result of a lookup in an index.
    mutating func keep(_ list: FoundList, _ fields: IndexKey, of index: Int) {
        found[index].keep(list, fields, most: records.count)
    }

    /// Builds the id order, unless it exists.
    mutating func makeOrder() {
        if order == nil { order = Self.tree(sortedByID().map { ($0.key, $0.record) }) }
    }

    /// Returns the records sorted by id, with their ids and id keys.
    private func sortedByID() -> [(id: StoredValue, key: IndexKey, record: MemoryRecord)] {
        records.map { ($0.key, idForm.key(ofID: $0.key), $0.value) }.sorted { $0.key < $1.key }
    }

    /// Builds the indexes. The stored records have no index keys yet and are replaced by records
    /// that have them.
    ///
    /// If the body throws, the table is unchanged.
    ///
    /// - Parameters:
    ///   - count: the number of indexes.
    ///   - body: returns the record with its key in each index.
    mutating func makeIndexes(_ count: Int, _ body: (MemoryRecord) throws -> MemoryRecord) rethrows
    {
        // Created in id order, so that records which are read together are near each other in
        // memory.
        var rows = sortedByID()
        for place in rows.indices { rows[place].record = try body(rows[place].record) }
        for row in rows { records[row.id] = row.record }
        order = Self.tree(rows.map { ($0.key, $0.record) })
        found = Array(repeating: FoundRecords(), count: count)
        indexes = (0..<count).map { index in
            let entries = rows.compactMap { row in row.record.keys[index].map { ($0, row.record) } }
            return Self.tree(entries.sorted { $0.0 < $1.0 })
        }
    }

    private static func tree(
        _ sorted: [(key: IndexKey, value: MemoryRecord)]
    ) -> OrderedTree<MemoryRecord> { OrderedTree(sorted: sorted) }
}
