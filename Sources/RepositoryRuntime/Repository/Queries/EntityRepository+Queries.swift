extension EntityRepository {
    /// The entities that a query asks for, in its order.
    ///
    /// Other tasks may write while a long query runs: an entity written or deleted meanwhile may or may not be seen.
    /// - Throws: `invalidQuery`, `unsupported`, or what the store throws.
    public func fetch(_ query: Query<Model>) async throws -> [Model] {
        var run = try await run(query)
        return try await run.entities()
    }

    /// The first entity that a query asks for; nil where there is none.
    public func fetchOne(_ query: Query<Model>) async throws -> Model? {
        try await fetch(query.limit(min(1, query.maximum ?? 1))).first
    }

    /// The ids of the entities that a query asks for, in its order.
    public func ids(_ query: Query<Model>) async throws -> [Model.ID] {
        var run = try await run(query)
        return try await run.collect(\.entity.id)
    }

    /// The number of entities that a query asks for: what ``fetch(_:)`` would return.
    public func count(_ query: Query<Model>) async throws -> Int {
        // How many there are does not depend on their order, but for those behind a cursor.
        var run = try await run(query.start == nil ? query.unsorted : query)
        let (skipped, capacity) = (query.skipped, run.capacity)
        if query.condition.tree.conjuncts.isEmpty, query.start == nil {
            return max(0, min(try await count(), capacity) - skipped)
        }
        let counted = try await summary(of: run, StoreSummary([.count]))
        if case .integer(let count) = counted?.first?.first { return Int(count) }
        var found = 0
        try await run.visitValues { _ in
            found += 1
            return found < capacity
        }
        return max(0, min(found, capacity) - skipped)
    }

    /// The number of entities that are as a condition says.
    public func count(
        where condition: (Model.Fields) -> Condition
    ) async throws -> Int {
        try await count(.where(condition))
    }

    /// Whether there is an entity that is as a condition says; reads no further than the first.
    public func exists(
        where condition: (Model.Fields) -> Condition
    ) async throws -> Bool {
        try await count(Query.where(condition).limit(1)) > 0
    }

    /// Some of the entities that a query asks for, and the place where the next ones start.
    ///
    /// ```swift
    /// var page = try await books.page(.sorted(by: \.title).limit(20))
    /// while let next = page.next { page = try await books.page(query, after: next) }
    /// ```
    /// What is inserted or deleted between two pages moves nothing: an entity that stays as it is stands on exactly
    /// one page.
    /// - Parameters:
    ///   - query: what is asked; its limit is the size of a page, 100 where it has none.
    ///   - cursor: the place from the page before, or nil for the first page.
    /// - Throws: `invalidQuery` for a limit of 0 or a cursor from another order.
    public func page(
        _ query: Query<Model>, after cursor: QueryCursor? = nil
    ) async throws -> QueryPage<Model> {
        let size = query.maximum ?? 100
        guard size != 0 else {
            throw CRUDRepositoryError.invalidQuery(
                "A page holds one record at least.", table: Model.Mapper.table.name)
        }
        // One more than fits tells whether anything follows.
        let extended = size < .max ? size + 1 : size
        var run = try await run(
            query.page(after: cursor).limit(size < 0 ? size : extended),
            needing: .paths(RowOrder(query.sortKeys, Model.Mapper.table).paths))
        let rows = try await run.collect { (entity: $0.entity, values: $0.values) }
        let last = rows.count > size ? rows[size - 1] : nil
        return QueryPage(
            items: rows.prefix(size).map(\.entity),
            next: last.map { run.evaluator.cursor(after: $0.values) })
    }

    /// How a query would be answered: by which access, what is left to the runtime, how many records are read.
    ///
    /// - Throws: `invalidQuery`.
    public func explain(_ query: Query<Model>) async throws -> QueryExplanation {
        try await context.open()
        let plan = try QueryRun(query, context.store).plan
        var details: [String] = []
        if case .selection(let selection) = plan.access {
            details = try await context.store.explain(Model.self, selection)
        }
        return QueryExplanation(
            plan, Model.Mapper.table, store: context.store.name, details: details)
    }

    func run(
        _ query: Query<Model>, needing needs: RowNeeds = .nothing
    ) async throws -> QueryRun<Model> {
        try await context.open()
        let run = try QueryRun(query, context.store, needing: needs)
        try context.admit(query, run.plan)
        return run
    }
}
