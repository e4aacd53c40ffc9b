internal import RepositoryRuntime

/// The semantics of an index scan: the rows that it returns, and their order.
struct ReferenceScan {
    private let scan: IndexScan
    private let keys: [TableIndex.Key]
    private let table: EntityTable
    private let index: TableIndex

    init(_ scan: IndexScan, _ table: EntityTable) {
        self.scan = scan
        self.table = table
        index = table.scannedIndex(scan.index)
        keys = index.keys
    }

    /// The sort key of a row: the values of the indexed fields, followed by the components of the
    /// id.
    func place(of row: [StoredValue]) -> [StoredValue] {
        table.compared(row, by: index) + table.key.map { row[$0] }
    }

    /// Whether one sort key precedes another.
    func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for (position, (one, two)) in zip(left, right).enumerated() where one != two {
            let descends = position < keys.count && keys[position].descending != scan.isReversed
            let ascends = position >= keys.count || !descends
            return Self.precedes(one, two, key(position)) == ascends
        }
        return false
    }

    /// The type of a component of the sort key.
    private func key(_ position: Int) -> StoredType {
        position < keys.count
            ? table.type(of: keys[position])
            : table.layout.fields[table.key[position - keys.count]].type
    }

    /// Whether one value precedes another. Composite references are compared by their components in
    /// order.
    private static func precedes(
        _ left: StoredValue, _ right: StoredValue, _ type: StoredType
    ) -> Bool {
        guard case .composite(let layout) = type, case .object(let one) = left,
            case .object(let two) = right
        else { return left < right }
        for field in layout.fields {
            let (first, second) = (one[field.name] ?? .null, two[field.name] ?? .null)
            if first != second { return precedes(first, second, field.type) }
        }
        return false
    }

    /// Whether the scan returns a row.
    func contains(_ row: [StoredValue]) -> Bool {
        guard index.holds(of: row) else { return false }
        let fields = table.compared(row, by: index)
        guard zip(fields, scan.equal).allSatisfy({ $0 == $1 }) else { return false }
        if let after = scan.after, !precedes(after, place(of: row)) { return false }
        guard scan.equal.count < keys.count else { return true }
        let value = fields[scan.equal.count]
        if let lower = scan.lower {
            guard lower.value < value || lower.isIncluded && lower.value == value else {
                return false
            }
        }
        if let upper = scan.upper {
            guard value < upper.value || upper.isIncluded && upper.value == value else {
                return false
            }
        }
        return true
    }
}
