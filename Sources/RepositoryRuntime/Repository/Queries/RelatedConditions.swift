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
    ///   records or the store evaluates its conditions itself.
    func withResolved<E: Entity, R>(
        _ query: Query<E>, _ body: (RepositoryContext, Query<E>) async throws -> R
    ) async throws -> R? {
        guard query.namesRelatives else { return nil }
        try await open()
        let store = store
        guard needsResolution(query, in: store) else { return nil }
        _ = try QueryEvaluator(query)
        let isInTransaction = TransactionScope.transaction(of: store.changes) != nil
        guard !isInTransaction, store.capabilities.has(.snapshots) else {
            return try await body(self, resolved(query, in: store))
        }
        let snapshot = try await store.snapshot()
        do {
            let context = RepositoryContext(snapshot, of: self)
            let result = try await body(context, resolved(query, in: snapshot))
            await snapshot.rollBack()
            return result
        } catch {
            await snapshot.rollBack()
            throw error
        }
    }

    /// Whether a query has conditions on related records that the store does not evaluate itself.
    func needsResolution<E: Entity>(_ query: Query<E>, in store: any EntityStore) -> Bool {
        guard query.namesRelatives else { return false }
        return store.plan(query).remainder.contains(where: \.namesRelatives)
    }

    /// Returns the query without conditions on related records, unless the store evaluates them
    /// itself. Later changes of related records do not affect the result.
    func resolvedIfNeeded<E: Entity>(_ query: Query<E>) async throws -> Query<E> {
        try await withResolved(query) { _, query in query } ?? query
    }

    /// Returns the query with the ids of related records in place of the conditions on them.
    func resolved<E: Entity>(
        _ query: Query<E>, in store: any EntityStore
    ) async throws -> Query<E> {
        guard query.namesRelatives else { return query }
        let resolution = RelatedResolution(
            context: self, store: store, allowsFullScan: query.allowsFullScan)
        return query.with(try await resolution.resolved(whole: query.condition.tree, of: E.self))
    }
}
