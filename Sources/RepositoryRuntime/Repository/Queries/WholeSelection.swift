extension QueryRun {
    /// What the store is asked for where it answers the whole query by itself: nothing is tested, sorted or
    /// limited in the runtime.
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

extension EntityRepository {
    /// What the store itself computes of the entities of a query; nil where the runtime has to.
    func summary(
        of run: QueryRun<Model>, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        guard let selection = run.wholeSelection else { return nil }
        return try await context.store.summary(Model.self, selection, summary)
    }
}
