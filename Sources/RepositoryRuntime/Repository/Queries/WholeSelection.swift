extension QueryPlan {
    /// Returns the selection for a store that runs a whole query itself, so that nothing is
    /// filtered, sorted or limited in the runtime; nil otherwise.
    ///
    /// - Parameter query: the query of which this is the plan.
    func wholeSelection<E: Entity>(of query: Query<E>) -> StoreSelection? {
        guard isAnsweredByStore, case .selection(var selection) = access else { return nil }
        // A selection that is changed loses its statement.
        if let start = query.start { selection.after = start.position }
        selection.skipped = query.skipped
        selection.maximum = query.maximum
        return selection
    }
}

extension QueryRun {
    /// The selection for a store that runs the whole query itself; nil if the runtime takes part.
    var wholeSelection: StoreSelection? { plan.wholeSelection(of: query) }
}

extension RepositoryContext {
    /// Returns the selection with which the store answers a query without the runtime; nil if the
    /// runtime has something to do, too.
    ///
    /// A ``QueryRun`` finds the same records. What it prepares takes as long as the store takes for
    /// a few records.
    ///
    /// - Parameter plan: the plan of the store; nil to ask it, which sets it.
    /// - Throws: `invalidQuery`, `fullScanRefused`, and errors of opening the store.
    func wholeSelection<E: Entity>(
        _ query: Query<E>, planning plan: inout QueryPlan?
    ) async throws -> StoreSelection? {
        if !isReady { try await open() }
        guard query.start == nil, query.skipped == 0, (query.maximum ?? 1) > 0,
            store.capabilities.has(.queries)
        else { return nil }
        let known = QueryPlan(query, store, known: plan)
        plan = known
        guard let selection = known.wholeSelection(of: query) else { return nil }
        try QueryEvaluator.check(query)
        try admit(query, known)
        return selection
    }
}

extension ReadableRepository {
    /// The aggregates of the selected entities, computed by the store; nil if the runtime has to
    /// compute them.
    func summary(
        of run: QueryRun<Model>, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        guard let selection = run.wholeSelection else { return nil }
        return try await context.store.summary(Model.self, selection, summary)
    }
}
