extension EntityTable {
    /// Returns the index that a scan uses. For ``IndexScan/ids`` this is a synthesized unique index
    /// over the components of the id.
    ///
    /// - Parameter position: ``IndexScan/index`` of a scan that was checked.
    package func scannedIndex(_ position: Int) -> TableIndex {
        if position != IndexScan.ids { return indexes[position] }
        return TableIndex(
            name: "id", keys: key.map { TableIndex.Key(field: $0, descending: false) },
            isUnique: true, condition: nil)
    }

    /// The path of an index key as ``index(_:_:unique:where:)`` takes it: `shelf.room`.
    package func name(of key: TableIndex.Key) -> String { key.path.wholeText(in: layout) }

    /// The type of the values of an index key.
    package func type(of key: TableIndex.Key) -> StoredType {
        // An index has no key that leads nowhere.
        key.path.type(in: layout) ?? layout.fields[key.field].type
    }
}
