extension MemoryStorage {
    /// The records that a scan of an index finds, in its order.
    func find(_ scan: IndexScan, limit: Int, _ forms: TableIndexForms) throws -> [E] {
        if rows.indexes == nil { try makeIndexes(forms) }
        let tree = rows.indexes?[scan.index] ?? OrderedTree()
        return try tree.find(scan, limit: limit, forms.forms[scan.index]).entities(E.self)
    }
}

/// A table in memory whose entity is not known.
protocol MemoryTable: AnyObject {
    /// The table as it is now; what is written later does not change that.
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows
}

extension MemoryStorage: MemoryTable {
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows {
        if rows.indexes == nil { try makeIndexes(forms) }
        return FrozenRows(ordered(), rows.indexes ?? [], forms, ids: rows.idForm)
    }
}
