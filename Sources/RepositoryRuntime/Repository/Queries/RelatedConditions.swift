/// Conditions on related records, for stores that do not evaluate them: a condition is replaced by
/// the ids that have such records, a semi-join.
///
/// The innermost conditions are replaced first. Each costs one query of the related entity, whose
/// matching ids are held in memory.
extension RepositoryContext {
    /// Runs a body with a query without conditions on related records and with the repositories of
    /// a snapshot of the store, in which the query and the related records agree.
    ///
    /// - Returns: the result of the body; nil, without calling it, if the query names no related
    ///   records or the store evaluates its conditions and its order itself.
    func withResolved<E: Entity, R>(
        _ query: Query<E>, _ body: (RepositoryContext, Query<E>) async throws -> R
    ) async throws -> R? {
        var plan: QueryPlan?
        return try await withResolved(query, planning: &plan, body)
    }

    /// Does the same, and returns the plan of the store for a query that names related records, so
    /// that the store need not plan it again.
    func withResolved<E: Entity, R>(
        _ query: Query<E>, planning plan: inout QueryPlan?,
        _ body: (RepositoryContext, Query<E>) async throws -> R
    ) async throws -> R? {
        guard query.namesRelatives else { return nil }
        try await open()
        let known = store.plan(query)
        plan = known
        guard needsResolution(query, known) else { return nil }
        _ = try QueryEvaluator(query)
        return try await withOneState { context in
            try await body(context, context.resolved(query, in: context.store))
        }
    }

    /// Runs a body with the repositories of a snapshot of the store, or of the running transaction.
    /// Without snapshots, the body uses the store itself.
    func withOneState<R>(
        _ body: (RepositoryContext) async throws -> R
    ) async throws -> R {
        let store = store
        guard !(store is any StoreTransaction), store.capabilities.has(.snapshots) else {
            return try await body(self)
        }
        let snapshot = try await store.snapshot()
        do {
            let result = try await body(RepositoryContext(snapshot, of: self))
            await snapshot.rollBack()
            return result
        } catch {
            await snapshot.rollBack()
            throw error
        }
    }

    /// Whether a query has conditions on related records that the store does not evaluate itself,
    /// or an order by their values in which the store does not return the records itself.
    func needsResolution<E: Entity>(_ query: Query<E>, in store: any EntityStore) -> Bool {
        query.namesRelatives && needsResolution(query, store.plan(query))
    }

    private func needsResolution<E: Entity>(_ query: Query<E>, _ plan: QueryPlan) -> Bool {
        if plan.remainder.contains(where: \.namesRelatives) { return true }
        return query.sortsByRelatives && !plan.isAnsweredByStore
    }

    /// Returns the query without conditions on related records, unless the store evaluates them
    /// itself. Later changes of related records do not affect the result.
    func resolvedIfNeeded<E: Entity>(_ query: Query<E>) async throws -> Query<E> {
        try await withResolved(query) { _, query in query } ?? query
    }

    /// Returns the query with the ids of related records in place of the conditions on them, and
    /// with their values by which it sorts.
    func resolved<E: Entity>(
        _ query: Query<E>, in store: any EntityStore
    ) async throws -> Query<E> {
        guard query.namesRelatives else { return query }
        let resolution = RelatedResolution(
            context: self, store: store, allowsFullScan: query.allowsFullScan)
        let resolved = query.with(
            try await resolution.resolved(whole: query.condition.tree, of: E.self))
        guard query.sortsByRelatives else { return resolved }
        // What the query reads itself is judged before anything is read for its order.
        try admit(resolved, QueryPlan(resolved, store))
        return resolved.with(known: try await resolution.known(resolved))
    }
}
