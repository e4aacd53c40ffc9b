extension IndexScan {
    /// The place of a record in the scan.
    ///
    /// - Parameter row: its fields, by index.
    func place<E: Entity>(of row: [StoredValue], _ type: E.Type) -> [StoredValue] {
        let table = E.Mapper.table
        let fields = table.scannedIndex(index).keys.map {
            table.comparable(row[$0.field], of: $0.field)
        }
        return fields + table.key.map { row[$0] }
    }

    /// Whether a record lies in the scan, wherever that starts.
    func contains<E: Entity>(_ row: [StoredValue], _ type: E.Type) -> Bool {
        let table = E.Mapper.table
        let index = table.scannedIndex(index)
        guard index.covers(row) else { return false }
        let keys = index.keys
        guard zip(keys, equal).allSatisfy({ table.comparable(row[$0.field], of: $0.field) == $1 })
        else { return false }
        guard equal.count < keys.count else { return true }
        let field = keys[equal.count].field
        let value = table.comparable(row[field], of: field)
        if let lower, value < lower.value || value == lower.value && !lower.isIncluded {
            return false
        }
        if let upper, upper.value < value || value == upper.value && !upper.isIncluded {
            return false
        }
        return true
    }
}

extension Array where Element == IndexScan {
    /// Whether a record may lie in several scans; not where they are of one index and differ in the values of the same
    /// leading fields.
    var mayOverlap: Bool {
        guard let first, count > 1 else { return false }
        return contains { $0.index != first.index || $0.equal.count != first.equal.count }
            || Set(map(\.equal)).count < count
    }
}
