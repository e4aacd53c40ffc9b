/// How a declared index serves a query.
struct IndexMatch {
    /// The scans, in the order in which they are made.
    private(set) var scans: [IndexScan]
    /// The conditions that the scans leave nothing of to be tested.
    let covered: [ConditionTree]
    /// The number of leading fields of which the values are known.
    let equalities: Int
    /// How many ends the range of the next field has.
    let ends: Int
    /// Whether there is one record at most for each scan.
    let isUnique: Bool
    /// Whether the records are found in the order of the query.
    let isOrdered: Bool

    /// Whether the index covers some of the records only, all those of the query among them.
    let isPartial: Bool

    /// Whether the index leads to some of the records only.
    var isSelective: Bool { equalities > 0 || ends > 0 || isPartial }

    /// Matches an index with a query; nil where it does not cover all records of the query.
    ///
    /// - Parameter isPlain: whether the store looks up leading fields that equal one value, and no more.
    init?<Model: Entity>(
        _ position: Int, _ query: Query<Model>, _ conjuncts: [ConditionTree], isPlain: Bool
    ) {
        let table = Model.Mapper.table
        let index = table.scannedIndex(position)
        guard index.covers(whereAll: conjuncts) else { return nil }
        var prefixes: [[StoredValue]] = [[]]
        var constant: Set<Int> = []
        var covered: [ConditionTree] = []
        var count = 0
        var range: FieldConstraint?
        for key in index.keys {
            let constraint = FieldConstraint(
                key.field, table.layout.fields[key.field].type, in: conjuncts)
            if let value = constraint.equal {
                prefixes = prefixes.map { $0 + [value] }
                covered += constraint.equalSources
                constant.insert(key.field)
            } else if !isPlain, let values = constraint.values,
                prefixes.count * values.count <= FieldConstraint.mostValues
            {
                prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
                covered += constraint.valueSources
            } else {
                if !isPlain, constraint.hasRange { range = constraint }
                break
            }
            count += 1
        }
        // What is written in the index's condition holds of all that it covers.
        let held = index.condition?.conjuncts ?? []
        self.covered = covered + (range?.rangeSources ?? []) + held.filter(conjuncts.contains)
        isPartial = index.condition != nil && !isPlain
        equalities = count
        ends = (range?.lower == nil ? 0 : 1) + (range?.upper == nil ? 0 : 1)
        isUnique =
            index.isUnique && count == index.keys.count
            && !prefixes.contains { $0.contains(.null) }
        let wanted = RecordOrder(query.sortKeys, table, constant: constant)
        func isWanted(_ isReversed: Bool) -> Bool {
            wanted
                == RecordOrder(index.keys, isReversed: isReversed, table, constant: constant)
        }
        let isReversed = !isPlain && !isWanted(false) && isWanted(true)
        let isInOrder = isReversed || isWanted(false)
        // One record is in every order.
        isOrdered = isInOrder || isUnique && prefixes.count == 1
        scans = prefixes.map {
            IndexScan(
                position, equal: $0, lower: range?.lower, upper: range?.upper,
                isReversed: isReversed)
        }
        scans.sort {
            Self.precedes($0.equal, $1.equal, index.keys, isReversed: isReversed)
        }
        if isInOrder, !isPlain, let start = query.start {
            skip(to: start.position, query, table)
        }
    }

    private static func precedes(
        _ left: [StoredValue], _ right: [StoredValue], _ keys: [TableIndex.Key], isReversed: Bool
    ) -> Bool {
        for (position, key) in keys.enumerated()
        where position < left.count && position < right.count && left[position] != right[position] {
            return (left[position] < right[position]) != (key.descending != isReversed)
        }
        return false
    }

    /// Leaves out what stands before a place of the query, as far as the scans can say it; the rest is tested record by
    /// record.
    private mutating func skip<Model: Entity>(
        to place: [StoredValue], _ query: Query<Model>, _ table: EntityTable
    ) {
        guard let first = scans.first, place.count == query.sortKeys.count + table.key.count
        else { return }
        let keys = table.scannedIndex(first.index).keys
        // Records that are equal in all sort keys stand in id order.
        let order =
            query.sortKeys + table.key.map { SortKey(path: FieldPath($0), direction: .ascending) }
        let reached = Dictionary(
            zip(order.map(\.path), place), uniquingKeysWith: { value, _ in value })
        scans = scans.compactMap { scan in
            var isBehindOthers = false
            for key in order {
                let position = keys.firstIndex { FieldPath($0.field) == key.path }
                guard let position, position < scan.equal.count, let end = reached[key.path] else {
                    isBehindOthers = true
                    continue
                }
                let value = scan.equal[position]
                if value == end { continue }
                if isBehindOthers { return scan }
                return (value < end) == (key.direction == .ascending) ? nil : scan
            }
            var scan = scan
            // The query sorts by every field whose value is not known.
            scan.after =
                keys.indices.map { position in
                    position < scan.equal.count
                        ? scan.equal[position]
                        : reached[FieldPath(keys[position].field)] ?? .null
                } + place.suffix(table.key.count)
            return scan
        }
    }

    /// Whether the index serves better than another: by a unique one, by more fields that are known, by more ends of a
    /// range, by covering fewer records, by the order, by fewer scans.
    func isBetter(than other: IndexMatch) -> Bool {
        if isUnique != other.isUnique { return isUnique }
        if equalities != other.equalities { return equalities > other.equalities }
        if ends != other.ends { return ends > other.ends }
        if isPartial != other.isPartial { return isPartial }
        if isOrdered != other.isOrdered { return isOrdered }
        return scans.count < other.scans.count
    }
}
