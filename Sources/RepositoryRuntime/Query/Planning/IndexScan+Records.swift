/// The semantics of an index scan: which records it finds, and in which order. Stores without index
/// structures use it, and so does the runtime to find out whether a record lies in a scan.
///
/// Values compare as ``StoredValue`` does. Composite references compare by their components, in the
/// order of the id, null first.
///
/// A position of a scan is an array of values: those of all index fields, then the components of
/// the id. ``IndexScan/after`` has the same layout.
package struct IndexScanOrder {
    /// The scan whose order this is.
    private let scan: IndexScan
    private let table: EntityTable
    /// The scanned index; for ``IndexScan/ids``, a synthesized one.
    private let index: TableIndex
    /// The types of the parts of a position: the fields of the index, then the components of the
    /// id.
    private let types: [StoredType]

    /// Creates the order of a scan of an index of the table.
    package init(_ scan: IndexScan, _ table: EntityTable) {
        self.scan = scan
        self.table = table
        index = table.scannedIndex(scan.index)
        types = index.keys.map(table.type(of:)) + table.key.map { table.layout.fields[$0].type }
    }

    /// Returns the position of a record: the values of the index fields, folded if the field
    /// ignores case, then the components of the id.
    ///
    /// - Parameter row: the field values, by field index.
    package func place(of row: [StoredValue]) -> [StoredValue] {
        index.keys.map { table.comparable($0, in: row) }
            + table.key.map { row[$0] }
    }

    /// Whether one position lies before another.
    package func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for part in 0..<min(left.count, right.count, types.count) where left[part] != right[part] {
            let descends =
                part < index.keys.count && index.keys[part].descending != scan.isReversed
            return descends
                ? types[part].precedes(right[part], left[part])
                : types[part].precedes(left[part], right[part])
        }
        return false
    }

    /// Whether a record lies in the scan. The start position of the scan is ignored.
    ///
    /// - Parameter row: the field values, by field index.
    package func contains(_ row: [StoredValue]) -> Bool {
        guard index.covers(row) else { return false }
        let place = place(of: row)
        guard zip(place, scan.equal).allSatisfy({ $0 == $1 }) else { return false }
        guard scan.equal.count < index.keys.count else { return true }
        let (value, type) = (place[scan.equal.count], types[scan.equal.count])
        if let lower = scan.lower {
            if type.precedes(value, lower.value) { return false }
            if value == lower.value, !lower.isIncluded { return false }
        }
        if let upper = scan.upper {
            if type.precedes(upper.value, value) { return false }
            if value == upper.value, !upper.isIncluded { return false }
        }
        return true
    }

    /// Whether a position lies after the start position of the scan.
    package func isBehindStart(_ place: [StoredValue]) -> Bool {
        scan.after.map { precedes($0, place) } ?? true
    }
}

extension StoredType {
    /// Whether one value of the type sorts before another.
    fileprivate func precedes(_ left: StoredValue, _ right: StoredValue) -> Bool {
        guard case .composite(let layout) = self, case .object(let one) = left,
            case .object(let two) = right
        else { return left < right }
        for field in layout.fields {
            let (first, second) = (one[field.name] ?? .null, two[field.name] ?? .null)
            if first != second { return field.type.precedes(first, second) }
        }
        return false
    }
}

extension Array where Element == IndexScan {
    /// Whether a record may lie in more than one of the scans. This is impossible if all scans use
    /// one index and differ in the values of the same leading fields.
    var mayOverlap: Bool {
        guard let first, count > 1 else { return false }
        return contains { $0.index != first.index || $0.equal.count != first.equal.count }
            || Set(map(\.equal)).count < count
    }
}

extension IndexScanOrder {
    /// Returns the entities that the scan finds among others, in its order.
    package func sorted<E: Entity>(_ entities: [E]) throws -> [E] {
        var rows: [(place: [StoredValue], entity: E)] = []
        for entity in entities {
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            let place = place(of: row)
            if contains(row), isBehindStart(place) { rows.append((place, entity)) }
        }
        rows.sort { precedes($0.place, $1.place) }
        return rows.map(\.entity)
    }
}
