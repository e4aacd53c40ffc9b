extension ReadableRepository {
    /// Returns the entities that a query selects, in its order.
    ///
    /// Other tasks may write during a long query. An entity written or deleted meanwhile may be
    /// included or not.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func fetch(_ query: Query<Model>) async throws -> [Model] {
        let query = context.scoped(query)
        var plan: QueryPlan?
        if query.namesRelatives,
            let found = try await context.withResolved(
                query, planning: &plan, { try await Self($0).fetch($1) })
        {
            return found
        }
        if let selection = try await context.wholeSelection(query, planning: &plan) {
            try Task.checkCancellation()
            return try await context.store.select(Model.self, selection)
        }
        var run = try await run(query, planned: plan)
        return try await run.entities()
    }

    /// Returns the first entity that a query selects; nil if there is none.
    public func fetchOne(_ query: Query<Model>) async throws -> Model? {
        try await fetch(query.limit(min(1, query.maximum ?? 1))).first
    }

    /// Returns the ids of the entities that a query selects, in its order.
    public func ids(_ query: Query<Model>) async throws -> [Model.ID] {
        let query = context.scoped(query)
        var plan: QueryPlan?
        if query.namesRelatives,
            let found = try await context.withResolved(
                query, planning: &plan, { try await Self($0).ids($1) })
        {
            return found
        }
        var run = try await run(query, planned: plan)
        return try await run.collect(\.entity.id)
    }

    /// Returns the number of entities that ``fetch(_:)`` would return for a query.
    public func count(_ query: Query<Model>) async throws -> Int {
        // The order only matters for the position of a cursor.
        let query = context.scoped(query.start == nil ? query.unsorted : query)
        var plan: QueryPlan?
        if query.namesRelatives,
            let count = try await context.withResolved(
                query, planning: &plan, { try await Self($0).count($1) })
        {
            return count
        }
        var run = try await run(query, planned: plan)
        let (skipped, capacity) = (query.skipped, run.capacity)
        if query.condition.tree.conjuncts.isEmpty, query.start == nil {
            return max(0, min(try await context.store.count(Model.self), capacity) - skipped)
        }
        let counted = try await summary(of: run, StoreSummary([.count]))
        if case .integer(let count) = counted?.first?.first { return Int(count) }
        return max(0, try await run.count() - skipped)
    }

    /// Returns the number of entities that satisfy a condition.
    public func count(
        where condition: (Model.Fields) -> Condition
    ) async throws -> Int {
        try await count(.where(condition))
    }

    /// Returns whether an entity satisfies a condition. Reads no further than the first one.
    public func exists(
        where condition: (Model.Fields) -> Condition
    ) async throws -> Bool {
        try await count(Query.where(condition).limit(1)) > 0
    }

    /// Returns a page of the entities that a query selects, with a cursor for the next page.
    ///
    /// ```swift
    /// var page = try await books.page(.sorted(by: \.title).limit(20))
    /// while let next = page.next { page = try await books.page(query, after: next) }
    /// ```
    /// Insertions and deletions between two pages do not shift the others: an entity that does not
    /// change is on exactly one page.
    ///
    /// - Parameters:
    ///   - query: selects and sorts the entities. Its limit is the page size; the default is 100.
    ///   - cursor: the cursor of the previous page; nil for the first page.
    /// - Throws: `invalidQuery` if the limit is 0 or if the cursor belongs to another order.
    public func page(
        _ query: Query<Model>, after cursor: QueryCursor? = nil
    ) async throws -> QueryPage<Model> {
        let query = context.scoped(query)
        let size = query.maximum ?? 100
        guard size != 0 else {
            throw CRUDRepositoryError.invalidQuery(
                "The size of a page must be at least 1.", table: Model.Mapper.table.name)
        }
        if query.namesRelatives,
            let page = try await context.withResolved(
                query, { try await Self($0).page($1, after: cursor) })
        {
            return page
        }
        guard query.sortsByRelatives else { return try await page(query, after: cursor, of: size) }
        return try await context.withOneState { context in
            var query = query
            if context.needsResolution(query, in: context.store) {
                query = try await context.resolved(query, in: context.store)
            }
            return try await Self(context).page(query, after: cursor, of: size)
        }
    }

    /// Returns a page of a query that needs no resolution.
    private func page(
        _ query: Query<Model>, after cursor: QueryCursor?, of size: Int
    ) async throws -> QueryPage<Model> {
        let keys = query.sortKeys
        // One additional record shows whether a further page exists.
        let extended = size < .max ? size + 1 : size
        var run = try await run(
            query.page(after: cursor).limit(size < 0 ? size : extended),
            needing: query.sortsByRelatives
                ? .fields : .paths(RowOrder(keys, Model.Mapper.table).paths))
        let rows = try await run.collect { (entity: $0.entity, values: $0.values) }
        let items = rows.prefix(size).map(\.entity)
        guard rows.count > size else { return QueryPage(items: items, next: nil) }
        let last = rows[size - 1].values
        guard query.sortsByRelatives else {
            return QueryPage(items: items, next: run.evaluator.cursor(after: last))
        }
        // The store has sorted by values that it does not return.
        let resolution = RelatedResolution(
            context: context, store: context.store, allowsFullScan: true)
        let known = query.with(known: try await resolution.known(query, of: last))
        return QueryPage(items: items, next: try QueryEvaluator(known).cursor(after: last))
    }

    /// Returns the plan of a query: how the store is accessed, what the runtime does, and how many
    /// records are read.
    ///
    /// - Throws: `invalidQuery`.
    public func explain(_ query: Query<Model>) async throws -> QueryExplanation {
        try await context.open()
        let query = context.scoped(query)
        let store = context.store
        if context.needsResolution(query, in: store) {
            _ = try QueryEvaluator(query)
            return QueryExplanation(
                QueryPlan(query.assumingRelatives(in: store), store), Model.Mapper.table,
                store: store.name, steps: try RelatedSteps(query, store).lines)
        }
        let plan = try QueryRun(query, context.store).plan
        var details: [String] = []
        if case .selection(let selection) = plan.access {
            details = try await context.store.explain(Model.self, selection)
        }
        return QueryExplanation(
            plan, Model.Mapper.table, store: context.store.name, details: details)
    }

    /// Plans a query and applies the full-scan policy.
    func run(
        _ query: Query<Model>, needing needs: RowNeeds = .nothing, planned plan: QueryPlan? = nil
    ) async throws -> QueryRun<Model> {
        try await context.open()
        let run = try QueryRun(query, context.store, needing: needs, planned: plan)
        try context.admit(query, run.plan)
        return run
    }
}
