extension EntityTable {
    /// The index that a scan walks; for ``IndexScan/ids`` the components of the id as a unique index.
    ///
    /// - Parameter position: ``IndexScan/index`` of a scan that was checked.
    package func scannedIndex(_ position: Int) -> TableIndex {
        if position != IndexScan.ids { return indexes[position] }
        return TableIndex(
            name: "id", keys: key.map { TableIndex.Key(field: $0, descending: false) },
            isUnique: true, condition: nil)
    }
}
