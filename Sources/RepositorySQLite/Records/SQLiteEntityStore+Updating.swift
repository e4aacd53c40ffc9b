internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteEntityStore {
    /// Changes all entities that match a query, in one job of the writer, which may share its
    /// commit with other jobs.
    ///
    /// - Returns: the number of changed entities.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        let evaluator = try QueryEvaluator(query)
        let plan = self.plan(query)
        do {
            return try await write(.batch) { (writer: SQLiteRecordWriter<E>) in
                try SQLiteUpdate(query, plan, evaluator, writer).run(change)
            }
        } catch let error as CRUDRepositoryError where error.isUniqueViolation {
            // The entities may exchange unique values.
            return try await write(.batch) { (writer: SQLiteRecordWriter<E>) in
                try SQLiteUpdate(query, plan, evaluator, writer).runExchanging(change, error)
            }
        }
    }

    /// Changes the entity with an id, in one job of the writer.
    ///
    /// - Returns: true.
    /// - Throws: `recordNotFound`; the error of the closure.
    package func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Bool {
        try await write(.batch, id: id) { (writer: SQLiteRecordWriter<E>) in
            let stored = try SQLiteRows.record(type, id, writer.statements)
            _ = try writer.update(change(stored))
        }
        return true
    }
}

/// Updates all records that match a query, inside a transaction.
///
/// SQLite selects the records as far as it evaluates the conditions of the query. The changed
/// records are written one by one, because the change is a Swift closure.
struct SQLiteUpdate<E: Entity> {
    /// The number of records that are in memory at once if their order does not matter.
    private static var pageSize: Int { 256 }

    private let query: Query<E>
    /// The plan of the query, whose conditions SQLite evaluates.
    private let plan: QueryPlan
    /// Evaluates the whole query in memory.
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

    /// Updates the records.
    ///
    /// If the update of a record fails, the remaining records are only changed in memory: an error
    /// of `change` for one of them takes precedence, as in stores that change all records first.
    ///
    /// - Returns: the number of updated records.
    func run(_ change: (E) throws -> E) throws -> Int {
        if plan.access == .nothing { return 0 }
        guard query.maximum == nil, query.skipped == 0 else { return try runOrdered(change) }
        // Without a limit or an offset the result does not depend on the order. The records are
        // read in pages by id, which no change can move.
        var selection = selection
        selection.maximum = Self.pageSize
        var count = 0
        var failure: CRUDRepositoryError?
        while true {
            let page = try writer.select(selection)
            for entity in page where try matches(entity) {
                try update(change(entity), &failure)
                count += 1
            }
            guard page.count == Self.pageSize, let last = page.last else {
                if let failure { throw failure }
                return count
            }
            selection.after = try StoredValueEncoder.components(of: last.id)
        }
    }

    /// Updates records that may exchange unique values. All of them are in memory at once.
    ///
    /// - Parameters:
    ///   - change: the change of a record.
    ///   - error: the violation that the records caused when they were updated one after another.
    /// - Returns: the number of updated records.
    func runExchanging(_ change: (E) throws -> E, _ error: CRUDRepositoryError) throws -> Int {
        if plan.access == .nothing { return 0 }
        let changed = try ordered().map(change)
        return try writer.exchanging(changed, error) { try $0.update($1) }.count
    }

    /// Updates a limited number of records in the order of the query. All matching records are in
    /// memory at once.
    private func runOrdered(_ change: (E) throws -> E) throws -> Int {
        let wanted = try ordered()
        var failure: CRUDRepositoryError?
        for entity in wanted { try update(change(entity), &failure) }
        if let failure { throw failure }
        return wanted.count
    }

    /// Returns the records that the query selects, in its order.
    private func ordered() throws -> [E] {
        var found: [(row: [StoredValue], entity: E)] = []
        for entity in try writer.select(selection) {
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            if evaluator.matches(row) { found.append((evaluator.position(of: row), entity)) }
        }
        found.sort { evaluator.precedes($0.row, $1.row) }
        return found.dropFirst(query.skipped).prefix(query.maximum ?? .max).map(\.entity)
    }

    /// Stores a changed entity, unless the update of an earlier one has failed.
    ///
    /// - Parameter failure: the first violated constraint, which is not thrown.
    private func update(_ changed: E, _ failure: inout CRUDRepositoryError?) throws {
        if failure != nil { return }
        do {
            _ = try writer.update(changed)
        } catch let error as CRUDRepositoryError where error.code == .constraintViolated {
            failure = error
        }
    }

    /// Evaluates the whole condition of the query in memory.
    private func matches(_ entity: E) throws -> Bool {
        evaluator.matches(try StoredValueEncoder.values(of: entity, E.Mapper.self))
    }

    /// The records that SQLite selects. The conditions that it does not evaluate are evaluated for
    /// each record that it finds.
    private var selection: StoreSelection {
        writer.table.selection(query.condition.tree.conjuncts, SQLiteDialect()).selection
    }
}
