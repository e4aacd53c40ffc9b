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
