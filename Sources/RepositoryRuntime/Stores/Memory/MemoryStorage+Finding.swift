extension MemoryStorage {
    /// Answers a scan for equality on all fields of a declared index, from the cache if possible.
    ///
    /// Only complete results are cached, that is, those with fewer records than the limit. A cached
    /// result answers a lookup whose limit is greater than its count.
    ///
    /// - Returns: The first records, in id order, or nil if the scan has another shape.
    func lookUp(_ scan: IndexScan, limit: Int, _ forms: TableIndexForms) throws -> [E]? {
        guard scan.index >= 0, scan.index < forms.declaredCount, scan.lower == nil,
            scan.upper == nil, scan.after == nil, limit > 0
        else { return nil }
        let form = forms.forms[scan.index]
        guard scan.equal.count == form.count else { return nil }
        if rows.indexes == nil { try makeIndexes(forms) }
        let fields = form.key(values: scan.equal)
        if let list = rows.found[scan.index].list(fields), list.count < limit {
            return unsafeDowncast(list, to: FoundListOf<E>.self).entities
        }
        let range = IndexKeyRange(lower: fields, upper: fields.end)
        let tree = rows.indexes?[scan.index] ?? OrderedTree()
        let found = tree.values(range, limit: limit).entities(E.self)
        if found.count < limit { rows.keep(FoundListOf(found), fields, of: scan.index) }
        return found
    }

    /// Returns the first records of a scan, in its order.
    func find(_ scan: IndexScan, limit: Int, _ forms: TableIndexForms) throws -> [E] {
        if scan.index == IndexScan.ids {
            return try ordered().find(scan, limit: limit, rows.idForm).entities(E.self)
        }
        if rows.indexes == nil { try makeIndexes(forms) }
        let tree = rows.indexes?[scan.index] ?? OrderedTree()
        return try tree.find(scan, limit: limit, forms.forms[scan.index]).entities(E.self)
    }
}

extension MemoryStorage: MemoryTable {
    func frozen(_ forms: TableIndexForms) throws -> FrozenRows {
        if rows.indexes == nil { try makeIndexes(forms) }
        return FrozenRows(ordered(), rows.indexes ?? [], forms, ids: rows.idForm)
    }
}
