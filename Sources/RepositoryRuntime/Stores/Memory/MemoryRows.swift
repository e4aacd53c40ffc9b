/// The records of a table in memory by their ids, and their orders.
///
/// It knows no entity, so that the compiler makes one fast form of it. The orders are made when somebody first needs
/// them, so that filling a table costs nothing, and kept from then on.
struct MemoryRows: Sendable {
    /// The records by their ids, each as the value that it is stored as.
    private(set) var records: [StoredValue: MemoryRecord] = [:]
    /// The records in id order; nil while nobody needs it.
    private(set) var order: OrderedTree<MemoryRecord>?
    /// The records in the order of each index; nil while nobody needs them.
    private(set) var indexes: [OrderedTree<MemoryRecord>]?
    /// What was found of late by each index.
    private(set) var found: [FoundRecords] = []
    /// The keys of the id order.
    let idForm: IndexKeyForm

    /// Makes an empty table.
    init(_ table: EntityTable) {
        idForm = IndexKeyForm(ids: table)
    }

    /// Makes a record what it is to be; nil for gone.
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

    /// Keeps what was found by an index.
    mutating func keep(_ list: FoundList, _ fields: IndexKey, of index: Int) {
        found[index].keep(list, fields, most: records.count)
    }

    /// Makes the id order, unless it is there.
    mutating func makeOrder() {
        if order == nil { order = Self.tree(sortedByID().map { ($0.key, $0.record) }) }
    }

    private func sortedByID() -> [(id: StoredValue, key: IndexKey, record: MemoryRecord)] {
        records.map { ($0.key, idForm.key(ofID: $0.key), $0.value) }.sorted { $0.key < $1.key }
    }

    /// Makes the indexes, of records that have not got their keys yet.
    ///
    /// - Parameters:
    ///   - count: how many there are.
    ///   - body: makes the record with its keys in each of them.
    mutating func makeIndexes(_ count: Int, _ body: (MemoryRecord) throws -> MemoryRecord) rethrows
    {
        // In id order, so that those that are read together lie together.
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
