/// An immutable snapshot of a table in memory, with the records in id order and in the order of
/// each index.
///
/// The trees share their nodes with those of the table, so a snapshot copies no records. Later
/// writes to the table do not change it.
struct FrozenRows: Sendable {
    /// The records in id order.
    let order: OrderedTree<MemoryRecord>
    /// The records in the order of each index, by the position of the index.
    private let indexes: [OrderedTree<MemoryRecord>]
    /// The key layouts of the indexes.
    private let forms: TableIndexForms
    /// The key layout of the id order.
    private let idForm: IndexKeyForm

    /// Creates a snapshot from the trees of a table. The trees are values with shared nodes, so
    /// nothing is copied.
    init(
        _ order: OrderedTree<MemoryRecord>, _ indexes: [OrderedTree<MemoryRecord>],
        _ forms: TableIndexForms, ids idForm: IndexKeyForm
    ) {
        self.order = order
        self.indexes = indexes
        self.forms = forms
        self.idForm = idForm
    }

    /// Creates the snapshot of an empty table.
    init(_ table: EntityTable) {
        let forms = TableIndexForms(table)
        self.init(
            OrderedTree(), forms.forms.map { _ in OrderedTree() }, forms,
            ids: IndexKeyForm(ids: table))
    }

    /// Returns the record with an id. An id of several components is given as a list.
    func record(_ id: StoredValue) -> MemoryRecord? { order.value(for: idForm.key(ofID: id)) }

    /// Returns up to `limit` records after an id, in id order; from the first record if the id is
    /// nil.
    func page(after id: StoredValue?, limit: Int) -> ContiguousArray<MemoryRecord> {
        let range = IndexKeyRange.all
        return order.values(id.map { range.after(idForm.key(ofID: $0)) } ?? range, limit: limit)
    }

    /// Returns the first records of an index scan, in its order.
    ///
    /// The index of the scan must exist; see ``IndexScan/check(_:in:)``.
    func find(_ scan: IndexScan, limit: Int) throws -> ContiguousArray<MemoryRecord> {
        if scan.index == IndexScan.ids { return try order.find(scan, limit: limit, idForm) }
        return try indexes[scan.index].find(scan, limit: limit, forms.forms[scan.index])
    }
}

extension IndexKeyForm {
    /// Returns the key of an id in id order. The key layout must be that of the ids.
    ///
    /// - Parameter id: the id; an id of several components is given as the list of them.
    func key(ofID id: StoredValue) -> IndexKey {
        if case .list(let components) = id { return key(values: components) }
        return key(values: CollectionOfOne(id))
    }
}

extension OrderedTree {
    /// Returns the first values of a scan, in its order.
    ///
    /// - Parameters:
    ///   - scan: the scan.
    ///   - limit: the maximum number of values.
    ///   - form: the key layout of the tree.
    func find(
        _ scan: IndexScan, limit: Int, _ form: IndexKeyForm
    ) throws -> ContiguousArray<Value> {
        if scan.isReversed {
            return ContiguousArray(
                try walk(scan, form, limit: limit).compactMap { value(for: $0) })
        }
        let range = form.range(of: scan)
        let place = scan.after.map { form.key(values: $0) }
        return values(place.map(range.after) ?? range, limit: limit)
    }
}

/// A table in memory whose entity type is not known to the caller.
///
/// A snapshot of a store uses it to freeze all tables without knowing their entity types.
protocol MemoryTable: AnyObject {
    /// Returns a snapshot of the table. Later writes do not change it.
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows
}
