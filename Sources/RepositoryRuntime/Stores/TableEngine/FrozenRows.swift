/// The records of a table in memory in their orders, as they were at one moment: trees that share their nodes with those
/// of the table.
struct FrozenRows: Sendable {
    /// The records in id order.
    let order: OrderedTree<MemoryRecord>
    /// The records in the order of each index.
    private let indexes: [OrderedTree<MemoryRecord>]
    private let forms: TableIndexForms
    private let idForm: IndexKeyForm

    init(
        _ order: OrderedTree<MemoryRecord>, _ indexes: [OrderedTree<MemoryRecord>],
        _ forms: TableIndexForms, ids idForm: IndexKeyForm
    ) {
        self.order = order
        self.indexes = indexes
        self.forms = forms
        self.idForm = idForm
    }

    /// A table without records.
    init(_ table: EntityTable) {
        let forms = TableIndexForms(table)
        self.init(
            OrderedTree(), forms.forms.map { _ in OrderedTree() }, forms,
            ids: IndexKeyForm(ids: table))
    }

    /// The record of an id.
    func record(_ id: StoredValue) -> MemoryRecord? { order.value(for: idForm.key(ofID: id)) }

    /// The records after an id, in id order.
    func page(after id: StoredValue?, limit: Int) -> ContiguousArray<MemoryRecord> {
        let range = IndexKeyRange.all
        return order.values(id.map { range.after(idForm.key(ofID: $0)) } ?? range, limit: limit)
    }

    /// The records that a scan of an index finds, in its order.
    func find(_ scan: IndexScan, limit: Int) throws -> ContiguousArray<MemoryRecord> {
        if scan.index == IndexScan.ids { return try order.find(scan, limit: limit, idForm) }
        return try indexes[scan.index].find(scan, limit: limit, forms.forms[scan.index])
    }
}

extension IndexKeyForm {
    /// The place of an id in the id order, where this is its form: an id of several components is the list of them.
    func key(ofID id: StoredValue) -> IndexKey {
        if case .list(let components) = id { return key(values: components) }
        return key(values: CollectionOfOne(id))
    }
}

extension OrderedTree {
    /// The values that a scan finds among keys of a form, in its order.
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

/// A table in memory whose entity is not known.
protocol MemoryTable: AnyObject {
    /// The table as it is now; what is written later does not change that.
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows
}
