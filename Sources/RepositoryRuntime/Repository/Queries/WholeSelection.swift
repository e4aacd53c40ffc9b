extension QueryRun {
    /// The selection for a store that runs the whole query itself, so that nothing is filtered,
    /// sorted or limited in the runtime; nil otherwise.
    var wholeSelection: StoreSelection? {
        guard case .selection(var selection) = plan.access, plan.remainder.isEmpty,
            !plan.sortsInRuntime
        else { return nil }
        selection.after = evaluator.startPosition
        selection.skipped = query.skipped
        selection.maximum = query.maximum
        return selection
    }
}

extension RepositoryContext {
    /// Returns the selection with which the store answers a query without the runtime; nil if the runtime has something to
    /// do, too.
    ///
    /// A ``QueryRun`` finds the same records. What it prepares takes as long as the store takes for a few records.
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
        guard known.remainder.isEmpty, !known.sortsInRuntime,
            case .selection(var selection) = known.access
        else { return nil }
        try QueryEvaluator.check(query)
        try admit(query, known)
        selection.maximum = query.maximum
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
