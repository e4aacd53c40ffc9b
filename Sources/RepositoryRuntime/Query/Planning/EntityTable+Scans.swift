extension EntityTable {
    /// Returns the index that a scan uses. For ``IndexScan/ids`` this is a synthesized unique index
    /// over the components of the id.
    ///
    /// - Parameter position: the ``IndexScan/index`` of a validated scan.
    ///
    /// - Parameter position: ``IndexScan/index`` of a scan that was checked.
    package func scannedIndex(_ position: Int) -> TableIndex {
        if position != IndexScan.ids { return indexes[position] }
        return TableIndex(
            name: "id", keys: key.map { TableIndex.Key(field: $0, descending: false) },
            isUnique: true, condition: nil)
    }
}
