/// One entity of a kept result.
struct KeptRow<Model: Entity>: Sendable {
    let entity: Model
    /// Its place in the order of the query.
    let position: [StoredValue]
    /// Stands for the bytes of its texts, of which `==` holds some that are unlike for equal.
    private let fingerprint: Int

    init(_ entity: Model, _ values: [StoredValue], _ evaluator: QueryEvaluator) {
        self.entity = entity
        position = evaluator.position(of: values)
        var hasher = Hasher()
        hasher.combine(values)
        fingerprint = hasher.finalize()
    }

    /// Whether the two are the same in every field.
    func isSame(as other: Self) -> Bool {
        fingerprint == other.fingerprint && entity == other.entity
    }
}

/// The result of a query while it is observed: changed by the records that were written, as long as these alone tell what
/// it becomes.
struct KeptRows<Model: Entity>: Sendable {
    /// What became of a result.
    enum Outcome {
        /// It is as it was.
        case same
        /// It is another one.
        case changed
        /// It cannot be told without reading the query anew.
        case unknown
    }

    private(set) var rows: [KeptRow<Model>]
    private let evaluator: QueryEvaluator
    private let maximum: Int?
    /// The places of the rows by id; nil until they are asked for.
    private var positions: [Model.ID: [StoredValue]]?

    init(_ rows: [KeptRow<Model>], of query: Query<Model>, _ evaluator: QueryEvaluator) {
        self.rows = rows
        self.evaluator = evaluator
        maximum = query.maximum
    }

    /// Whether two results hold the same entities in the same order.
    func isSame(as other: Self) -> Bool {
        rows.count == other.rows.count && zip(rows, other.rows).allSatisfy { $0.isSame(as: $1) }
    }

    /// Puts records in, and takes those out that are gone or no longer match.
    ///
    /// It costs n + k log n for k records and a result of n, and nothing that grows with n where the result stays.
    /// - Parameter records: what was read of records that may have changed; nil for those that are not there.
    mutating func take(_ records: [(id: Model.ID, entity: Model?)]) throws -> Outcome {
        var removed: [Int] = []
        var inserted: [KeptRow<Model>] = []
        // Behind the last row of a full result there are records that nobody knows.
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

    private func row(_ entity: Model) throws -> KeptRow<Model>? {
        let values = try StoredValueEncoder.values(of: entity, Model.Mapper.self)
        guard evaluator.matches(values) else { return nil }
        return KeptRow(entity, values, evaluator)
    }

    private func isOrdered(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        evaluator.precedes(left, right)
    }

    /// The place of a row among the rows.
    private mutating func index(of id: Model.ID) -> Int? {
        let positions =
            self.positions
            ?? Dictionary(
                rows.map { ($0.entity.id, $0.position) }, uniquingKeysWith: { $1 })
        self.positions = positions
        return positions[id].map { firstIndex(notBefore: $0) }
    }

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

    private mutating func merge(removed: [Int], inserted: [KeptRow<Model>]) {
        for index in removed { positions?[rows[index].entity.id] = nil }
        let new = inserted.sorted { isOrdered($0.position, $1.position) }
        for row in new { positions?[row.entity.id] = row.position }
        // Where the old rows are cut: before a row that goes, or where a new one comes in.
        var result: [KeptRow<Model>] = []
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
