/// What a finder looks for, and the order in which it returns what it found.
struct IndexFinding<E: Entity> {
    private let keys: [TableIndex.Key]
    private let values: [StoredValue]

    /// Checks what is looked for.
    ///
    /// - Throws: `unsupported` where there is no such index, or other values than its leading fields.
    init(_ index: Int, _ values: [StoredValue], in store: String) throws {
        let indexes = E.Mapper.table.indexes
        guard indexes.indices.contains(index), !values.isEmpty,
            values.count <= indexes[index].keys.count
        else {
            throw CRUDRepositoryError.unsupported(
                "a finder by \(values.count) values of the index \(index) of '\(E.Mapper.table.name)'",
                by: store)
        }
        keys = indexes[index].keys
        self.values = values
    }

    /// The records that have the values, in the order of the index's other fields, then of the id.
    ///
    /// - Parameter areCurrent: whether the records are those that the index was made of, so that they have the values.
    func sorted(_ records: [E], areCurrent: Bool = false) throws -> [E] {
        if areCurrent, values.count == keys.count { return records.sorted { $0.id < $1.id } }
        var found: [(record: E, rest: [StoredValue])] = []
        for record in records {
            let row = try StoreTable.row(of: record)
            // A record may have changed since the index was read.
            guard zip(keys, values).allSatisfy({ row[$0.field] == $1 }) else { continue }
            found.append((record, keys.dropFirst(values.count).map { row[$0.field] }))
        }
        let order = keys.dropFirst(values.count).map(\.descending)
        found.sort { left, right in
            for (position, descending) in order.enumerated() {
                let (one, two) = (left.rest[position], right.rest[position])
                if one != two { return descending ? two < one : one < two }
            }
            return left.record.id < right.record.id
        }
        return found.map(\.record)
    }
}

extension Array where Element: Comparable {
    /// The position of the first element after a value, in a sorted array.
    func firstIndex(after value: Element) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if value < self[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
