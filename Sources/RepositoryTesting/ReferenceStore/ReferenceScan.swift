internal import RepositoryRuntime

/// What a scan of an index means, plainly: which rows, in which order.
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

    /// Where a row stands: the values of the fields of the index, then the components of the id.
    func place(of row: [StoredValue]) -> [StoredValue] {
        table.compared(row, by: index) + table.key.map { row[$0] }
    }

    /// Whether one place stands before another.
    func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for (position, (one, two)) in zip(left, right).enumerated() where one != two {
            let descends = position < keys.count && keys[position].descending != scan.isReversed
            let ascends = position >= keys.count || !descends
            return Self.precedes(one, two, key(position)) == ascends
        }
        return false
    }

    private func key(_ position: Int) -> StoredType {
        let field = position < keys.count ? keys[position].field : table.key[position - keys.count]
        return table.layout.fields[field].type
    }

    /// The order of values; composite references stand in the order of their components.
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

    /// Whether the scan finds a row.
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
