/// The way in which one declared index can serve a query.
///
/// ``QueryPlanner`` creates one for each index, and compares them with ``isBetter(than:)``.
///
/// For example, the query `status == .available && year > 2000` matches an index over `status,
/// year` with one scan: ``equalities`` is 1, because the value of `status` is known, and ``ends``
/// is 1, because the range of `year` has one bound. With the condition `status.in([.available,
/// .lent])`, there are two scans.
///
/// Matching takes the index fields in order. A field with one known value extends the prefix of
/// each scan. A field with several known values multiplies the scans, up to
/// ``FieldConstraint/mostValues``. The first other field contributes its bounds and ends the
/// matching.
struct IndexMatch {
    /// The scans, in the order in which they run.
    private(set) var scans: [IndexScan]
    /// The conditions that the scans satisfy completely, so that they need not be tested on each
    /// record.
    let covered: [ConditionTree]
    /// The number of leading fields with known values.
    let equalities: Int
    /// The number of bounds on the field after them: 0, 1 or 2.
    let ends: Int
    /// Whether each scan finds at most one record.
    let isUnique: Bool
    /// Whether the records are found in the order of the query.
    let isOrdered: Bool

    /// Whether the index is partial: it covers only some records, including all that match the
    /// query.
    let isPartial: Bool

    /// Whether the scans read fewer records than the whole table.
    var isSelective: Bool { equalities > 0 || ends > 0 || isPartial }

    /// Matches an index with a query. Returns nil if the index does not cover all matching records.
    ///
    /// - Parameters:
    ///   - position: the position of the index in the table, or ``IndexScan/ids``.
    ///   - query: the query, for its order and its cursor.
    ///   - conjuncts: the conditions that must all hold.
    ///   - isPlain: whether the store supports only lookups of leading fields that equal one value.
    ///   - hashesEncrypted: whether an index over an encrypted field contains hashes, which have no
    ///     order.
    init?<Model: Entity>(
        _ position: Int, _ query: Query<Model>, _ conjuncts: [ConditionTree], isPlain: Bool,
        hashesEncrypted: Bool = false
    ) {
        let table = Model.Mapper.table
        let index = table.scannedIndex(position)
        let isHashed = hashesEncrypted && table.encryptsKey(of: index)
        guard index.covers(whereAll: conjuncts) else { return nil }
        var prefixes: [[StoredValue]] = [[]]
        var constant: Set<FieldPath> = []
        var covered: [ConditionTree] = []
        var count = 0
        // Most records are not deleted, so that this condition hardly selects any.
        var presences = 0
        var range: FieldConstraint?
        for key in index.keys {
            let constraint = FieldConstraint(key.path, table.type(of: key), in: conjuncts)
            if let value = constraint.equal {
                prefixes = prefixes.map { $0 + [value] }
                covered += constraint.equalSources
                constant.insert(key.path)
                if constraint.equalSources.contains(where: table.isPresence) { presences += 1 }
            } else if !isPlain, let values = constraint.values,
                prefixes.count * values.count <= FieldConstraint.mostValues
            {
                prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
                covered += constraint.valueSources
            } else {
                if !isPlain, constraint.hasRange, !isHashed || conjuncts.listsValues(of: key.path) {
                    range = constraint
                }
                break
            }
            count += 1
        }
        // Every record in a partial index satisfies the condition of the index.
        let held = index.condition?.conjuncts ?? []
        self.covered = covered + (range?.rangeSources ?? []) + held.filter(conjuncts.contains)
        isPartial = !isPlain && held.contains { !table.isPresence($0) }
        equalities = count - presences
        ends = (range?.lower == nil ? 0 : 1) + (range?.upper == nil ? 0 : 1)
        isUnique =
            index.isUnique && count == index.keys.count
            && !prefixes.contains { $0.contains(.null) }
        let wanted = RecordOrder(query.sortKeys, table, constant: constant)
        func isWanted(_ isReversed: Bool) -> Bool {
            wanted
                == RecordOrder(index.keys, isReversed: isReversed, table, constant: constant)
        }
        let isReversed = !isPlain && !isHashed && !isWanted(false) && isWanted(true)
        let isInOrder =
            (isReversed || isWanted(false)) && (!isHashed || constant.count == index.keys.count)
        // A single record is in any order.
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

    /// Orders the prefixes of two scans as the index does.
    private static func precedes(
        _ left: [StoredValue], _ right: [StoredValue], _ keys: [TableIndex.Key], isReversed: Bool
    ) -> Bool {
        for (position, key) in keys.enumerated()
        where position < left.count && position < right.count && left[position] != right[position] {
            return (left[position] < right[position]) != (key.descending != isReversed)
        }
        return false
    }

    /// Skips the part of the scans before a position of the query, as far as scans can express it.
    /// The rest is tested on each record.
    ///
    /// A scan whose prefix lies before the position is removed; one whose prefix is equal in the
    /// sort keys starts after it.
    private mutating func skip<Model: Entity>(
        to place: [StoredValue], _ query: Query<Model>, _ table: EntityTable
    ) {
        guard let first = scans.first, place.count == query.sortKeys.count + table.key.count
        else { return }
        let keys = table.scannedIndex(first.index).keys
        // Records that are equal in all sort keys are in id order.
        let order =
            query.sortKeys + table.key.map { SortKey(path: FieldPath($0), direction: .ascending) }
        let reached = Dictionary(
            zip(order.map(\.path), place), uniquingKeysWith: { value, _ in value })
        scans = scans.compactMap { scan in
            var isBehindOthers = false
            for key in order {
                let position = keys.firstIndex { $0.path == key.path }
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
            // Every field without a known value is a sort key of the query.
            scan.after =
                keys.indices.map { position in
                    position < scan.equal.count
                        ? scan.equal[position]
                        : reached[keys[position].path] ?? .null
                } + place.suffix(table.key.count)
            return scan
        }
    }

    /// Whether this index serves the query better than another. The criteria are, most significant
    /// first: uniqueness, the number of known fields, the number of bounds, partial coverage,
    /// order, and the smaller number of scans.
    func isBetter(than other: IndexMatch) -> Bool {
        if isUnique != other.isUnique { return isUnique }
        if equalities != other.equalities { return equalities > other.equalities }
        if ends != other.ends { return ends > other.ends }
        if isPartial != other.isPartial { return isPartial }
        if isOrdered != other.isOrdered { return isOrdered }
        return scans.count < other.scans.count
    }
}

extension [ConditionTree] {
    /// Whether one of the conditions lists the values of a field, so that hashes of them are looked
    /// up, although the list is too long for scans.
    fileprivate func listsValues(of path: FieldPath) -> Bool {
        contains { condition in
            if case .isIn(path, _) = condition.joiningEqualities { true } else { false }
        }
    }
}
