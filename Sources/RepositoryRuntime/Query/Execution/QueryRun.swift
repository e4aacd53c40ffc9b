/// One run of a query in the runtime, over the calls that every store has.
///
/// Every record found is tested against the whole condition. Where the plan finds records in the order of the query,
/// they are taken as they come and no more are read than are needed; otherwise only those are kept that can be among
/// the wanted ones.
struct QueryRun<E: Entity> {
    /// One record that matches.
    struct Row {
        let entity: E
        /// Its fields by index; empty where nothing needs them.
        let values: [StoredValue]
    }

    let query: Query<E>
    let evaluator: QueryEvaluator
    let plan: QueryPlan
    /// How many records are taken from the beginning, those left out included.
    let capacity: Int
    private let needsValues: Bool
    private var source: RecordSource<E>

    /// Checks and plans a query over a store that is open.
    ///
    /// - Parameter needsValues: whether the fields of the rows are asked for, and not only the entities.
    /// - Throws: `unsupported` where the store answers no queries; `invalidQuery`.
    init(_ query: Query<E>, _ store: any EntityStore, needsValues: Bool = false) throws {
        guard store.capabilities.has(.queries) else {
            throw CRUDRepositoryError.unsupported("queries", by: store.name)
        }
        evaluator = try QueryEvaluator(query)
        plan = QueryPlan(query, store)
        self.query = query
        let sum = query.skipped.addingReportingOverflow(query.maximum ?? .max)
        capacity = sum.overflow ? .max : sum.partialValue
        let isPlain = query.condition.tree.conjuncts.isEmpty && query.start == nil
        self.needsValues = needsValues || !isPlain || plan.sortsInRuntime
        // What is found is what is wanted, in its order: no more need be read.
        let takesAll = !plan.sortsInRuntime && plan.remainder.isEmpty && plan.startsAtPlace(query)
        source = RecordSource(
            store, plan.access, after: try Self.start(of: query, evaluator, plan),
            limit: takesAll ? capacity : .max)
    }

    /// Reads records of known ids in the order given, and tests them again.
    init(_ query: Query<E>, _ store: any EntityStore, reading ids: [[StoredValue]]) throws {
        evaluator = try QueryEvaluator(query)
        plan = QueryPlan(
            .ids(ids), remainder: query.condition.tree.conjuncts, sortsInRuntime: false,
            maximumReads: ids.count)
        self.query = query
        capacity = ids.count
        needsValues = true
        source = RecordSource(store, plan.access, after: nil, limit: .max)
    }

    /// The id after which a scan may start.
    private static func start(
        of query: Query<E>, _ evaluator: QueryEvaluator, _ plan: QueryPlan
    ) throws -> E.ID? {
        guard !plan.sortsInRuntime, plan.access == .scan, query.sortKeys.isEmpty,
            let components = evaluator.startComponents
        else { return nil }
        do {
            var fields = StoredValueDecoder(components)
            let id = try E.ID.decodeComponents(from: &fields)
            return id.defect == nil ? id : nil
        } catch {
            throw CRUDRepositoryError.invalidQuery(
                "Its cursor holds no id of it.", table: E.Mapper.table.name)
        }
    }

    /// The next records that match, in the order in which they are found; nil after the last.
    mutating func nextPage() async throws -> [Row]? {
        guard let page = try await source.nextPage() else { return nil }
        guard needsValues else { return page.map { Row(entity: $0, values: []) } }
        var rows: [Row] = []
        for entity in page {
            let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            if evaluator.matches(values) { rows.append(Row(entity: entity, values: values)) }
        }
        source.discount(page.count - rows.count)
        return rows
    }

    /// Gives each row to a body, in the order in which they are found, until it answers false.
    mutating func visit(_ body: (Row) throws -> Bool) async throws {
        while let page = try await nextPage() {
            for row in page where try !body(row) { return }
        }
    }

    /// What a body makes of each row that the query asks for, in the order of the query.
    mutating func collect<R>(_ body: (Row) throws -> R) async throws -> [R] {
        guard capacity > 0 else { return [] }
        guard plan.sortsInRuntime else { return try await take(body) }
        let evaluator = self.evaluator
        var ranked = RankedRows<R>(capacity: capacity, precedes: evaluator.precedes)
        try await visit { row in
            try ranked.insert(evaluator.position(of: row.values), try body(row))
            return true
        }
        return ranked.result(dropping: query.skipped)
    }

    private mutating func take<R>(_ body: (Row) throws -> R) async throws -> [R] {
        var results: [R] = []
        var seen = 0
        let (skipped, capacity) = (query.skipped, capacity)
        try await visit { row in
            seen += 1
            if seen > skipped { results.append(try body(row)) }
            return seen < capacity
        }
        return results
    }
}

extension QueryPlan {
    /// Whether the access finds only what stands behind the cursor of the query.
    fileprivate func startsAtPlace<E: Entity>(_ query: Query<E>) -> Bool {
        guard query.start != nil else { return true }
        guard case .index(let scans) = access else { return false }
        return scans.first?.after != nil
    }
}
