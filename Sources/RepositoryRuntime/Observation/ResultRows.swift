/// One entity of an observed query's result.
struct ResultRow<Model: Entity>: Sendable {
    let entity: Model
    /// The values of the query's sort keys, which order the rows.
    let position: [StoredValue]
    /// A hash of the field values. It detects strings with different bytes that `==` considers
    /// equal (canonical equivalence).
    private let fingerprint: Int

    init(_ entity: Model, _ values: [StoredValue], _ evaluator: QueryEvaluator) {
        self.entity = entity
        position = evaluator.position(of: values)
        var hasher = Hasher()
        hasher.combine(values)
        fingerprint = hasher.finalize()
    }

    /// Whether both rows have the same value in every field.
    func isSame(as other: Self) -> Bool {
        fingerprint == other.fingerprint && entity == other.entity
    }
}

/// The latest result of an observed query, updated from the changed records where they determine
/// the new result.
///
/// The rows are sorted by ``ResultRow/position``, and no id occurs twice. The result reached the
/// query's limit if it has `maximum` rows; the records beyond its last row are then unknown.
struct ResultRows<Model: Entity>: Sendable {
    /// The effect of an update.
    enum Outcome {
        /// The result is unchanged.
        case same
        /// The result changed.
        case changed
        /// The changed records do not determine the new result. The query has to be run again.
        case unknown
    }

    /// The entities with their positions, in the order of the query.
    private(set) var rows: [ResultRow<Model>]
    private let evaluator: QueryEvaluator
    /// The limit of the query; nil if it has none.
    private let maximum: Int?
    /// The row positions by id; nil until the first update needs them.
    private var positions: [Model.ID: [StoredValue]]?

    init(_ rows: [ResultRow<Model>], of query: Query<Model>, _ evaluator: QueryEvaluator) {
        self.rows = rows
        self.evaluator = evaluator
        maximum = query.maximum
    }

    /// Whether both results hold the same entities in the same order.
    func isSame(as other: Self) -> Bool {
        rows.count == other.rows.count && zip(rows, other.rows).allSatisfy { $0.isSame(as: $1) }
    }

    /// Inserts, replaces and removes rows according to records that were read again.
    ///
    /// The cost is O(*n* + *k* log *n*) for *k* records and a result of *n* rows, and O(*k* log
    /// *n*) if the result is unchanged.
    /// - Parameter records: the ids of records that may have changed, each with the stored entity,
    ///   or nil if it was deleted.
    mutating func update(with records: [(id: Model.ID, entity: Model?)]) throws -> Outcome {
        var removed: [Int] = []
        var inserted: [ResultRow<Model>] = []
        // The records beyond the last row of a full result are unknown.
        let end = rows.count == maximum ? rows.last?.position : nil
        if maximum == 0 { return .same }
        for (id, entity) in records {
            let old = index(of: id)
            let new = try entity.flatMap(row)
            let isBehind = new.map { row in end.map { isOrdered($0, row.position) } ?? false }
            switch (old, new) {
            case (nil, nil): continue
            case (let old?, let new?):
                if rows[old].isSame(as: new) { continue }
                if isBehind == true { return .unknown }
                removed.append(old)
                inserted.append(new)
            case (let old?, nil):
                if end != nil { return .unknown }
                removed.append(old)
            case (nil, let new?):
                if isBehind == true { continue }
                inserted.append(new)
            }
        }
        if removed.isEmpty, inserted.isEmpty { return .same }
        merge(removed: removed.sorted(), inserted: inserted)
        return .changed
    }

    /// Encodes an entity that was read again as a row; nil if it does not satisfy the query's
    /// condition.
    private func row(_ entity: Model) throws -> ResultRow<Model>? {
        let values = try StoredValueEncoder.values(of: entity, Model.Mapper.self)
        guard evaluator.matches(values) else { return nil }
        return ResultRow(entity, values, evaluator)
    }

    private func isOrdered(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        evaluator.precedes(left, right)
    }

    /// The index of the row with an id.
    private mutating func index(of id: Model.ID) -> Int? {
        let positions =
            self.positions
            ?? Dictionary(
                rows.map { ($0.entity.id, $0.position) }, uniquingKeysWith: { $1 })
        self.positions = positions
        return positions[id].map { firstIndex(notBefore: $0) }
    }

    /// The index of the first row whose position is not before the given one, by binary search.
    private func firstIndex(notBefore position: [StoredValue]) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if isOrdered(rows[middle].position, position) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Removes rows by index and inserts new ones at their positions, then cuts the result to the
    /// limit.
    private mutating func merge(removed: [Int], inserted: [ResultRow<Model>]) {
        for index in removed { positions?[rows[index].entity.id] = nil }
        let new = inserted.sorted { isOrdered($0.position, $1.position) }
        for row in new { positions?[row.entity.id] = row.position }
        // The old rows are copied in ranges, cut where a row is removed or a new row is inserted.
        var result: [ResultRow<Model>] = []
        result.reserveCapacity(rows.count + new.count - removed.count)
        var (start, next) = (0, removed[...])
        func copy(to end: Int) {
            while let index = next.first, index < end {
                result += rows[start..<index]
                start = index + 1
                next = next.dropFirst()
            }
            if start < end {
                result += rows[start..<end]
                start = end
            }
        }
        for row in new {
            copy(to: firstIndex(notBefore: row.position))
            result.append(row)
        }
        copy(to: rows.count)
        let surplus = maximum.map { max(0, result.count - $0) } ?? 0
        for row in result.suffix(surplus) { positions?[row.entity.id] = nil }
        result.removeLast(surplus)
        rows = result
    }
}
