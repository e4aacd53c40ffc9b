internal import RepositoryRuntime

extension SQLiteEntityStore {
    /// Changes what a query asks for in one job of the writer, which shares its commit with others.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        let evaluator = try QueryEvaluator(query)
        let plan = self.plan(query)
        return try await write(.batch) { (writer: SQLiteRecordWriter<E>) in
            try SQLiteUpdate(query, plan, evaluator, writer).run(change)
        }
    }
}

/// The change of all records that a query asks for, inside a transaction.
struct SQLiteUpdate<E: Entity> {
    /// How many records are in memory at once, where their order does not matter.
    private static var pageSize: Int { 256 }

    private let query: Query<E>
    private let plan: QueryPlan
    private let evaluator: QueryEvaluator
    private let writer: SQLiteRecordWriter<E>

    init(
        _ query: Query<E>, _ plan: QueryPlan, _ evaluator: QueryEvaluator,
        _ writer: SQLiteRecordWriter<E>
    ) {
        self.query = query
        self.plan = plan
        self.evaluator = evaluator
        self.writer = writer
    }

    /// Changes the records and returns how many there were.
    func run(_ change: (E) throws -> E) throws -> Int {
        if plan.access == .nothing { return 0 }
        guard query.maximum == nil, query.skipped == 0 else { return try runOrdered(change) }
        // Which records are meant does not depend on their order, so they are taken in that of ids,
        // which no change moves.
        var selection = StoreSelection(conditions, maximum: Self.pageSize)
        var count = 0
        while true {
            let page = try writer.select(selection)
            for entity in page where try matches(entity) {
                _ = try writer.update(change(entity))
                count += 1
            }
            guard page.count == Self.pageSize, let last = page.last else { return count }
            selection.after = try StoredValueEncoder.components(of: last.id)
        }
    }

    /// Takes the first records of an order.
    private func runOrdered(_ change: (E) throws -> E) throws -> Int {
        var found: [(row: [StoredValue], entity: E)] = []
        for entity in try writer.select(StoreSelection(conditions)) {
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            if evaluator.matches(row) { found.append((evaluator.position(of: row), entity)) }
        }
        found.sort { evaluator.precedes($0.row, $1.row) }
        let wanted = found.dropFirst(query.skipped).prefix(query.maximum ?? .max)
        for (_, entity) in wanted { _ = try writer.update(change(entity)) }
        return wanted.count
    }

    private func matches(_ entity: E) throws -> Bool {
        evaluator.matches(try StoredValueEncoder.values(of: entity, E.Mapper.self))
    }

    /// What SQLite tests; the rest is tested on what it finds.
    private var conditions: [ConditionTree] {
        switch plan.access {
        case .selection(let selection): selection.conditions
        default: query.condition.tree.conjuncts.filter { writer.canSelect(by: $0) }
        }
    }
}
