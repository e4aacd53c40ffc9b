extension MemoryTableRows {
    /// Returns the cached result of a lookup; nil if there is none, or if it is not smaller than the
    /// limit.
    final func foundList(
        _ scan: IndexScan, limit: Int, _ forms: TableIndexForms
    ) -> FoundList? {
        guard forms.isLookup(scan), scan.index < rows.found.count,
            let list = rows.found[scan.index].list(scan.equal, forms.forms[scan.index]),
            list.count < limit
        else { return nil }
        return list
    }
}

extension TableIndexForms {
    /// Whether a scan finds the records with equal values in all fields of a declared index.
    fileprivate func isLookup(_ scan: IndexScan) -> Bool {
        // Patterns copy no bounds.
        guard scan.index >= 0, scan.index < declaredCount, case nil = scan.lower,
            case nil = scan.upper, case nil = scan.after
        else { return false }
        return scan.equal.count == forms[scan.index].count
    }
}

extension MemoryStorage {
    /// Answers a scan for equality on all fields of a declared index, and caches the result.
    ///
    /// Only complete results are cached, that is, those with fewer records than the limit. A cached
    /// result answers a lookup whose limit is greater than its count.
    ///
    /// - Returns: The first records, in id order, or nil if the scan has another shape.
    func lookUp(_ scan: IndexScan, limit: Int, _ forms: TableIndexForms) throws -> [E]? {
        guard forms.isLookup(scan), limit > 0 else { return nil }
        if rows.indexes == nil { try makeIndexes(forms) }
        let fields = forms.forms[scan.index].key(values: scan.equal)
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
