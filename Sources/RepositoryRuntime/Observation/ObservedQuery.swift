/// The latest result of an observed query, shared by the sources that produce entities and
/// differences.
final class ObservedQuery<Model: Entity> {
    let context: RepositoryContext
    private let query: Query<Model>
    /// The previous result; nil before the first element.
    private var previous: ResultRows<Model>?

    init(_ query: Query<Model>, _ context: RepositoryContext) {
        self.query = context.scoped(query)
        self.context = context
    }

    var interest: ChangeInterest { ChangeInterest(query.tables, of: context.schema) }

    /// Returns the results before and after some changes; nil if the result is unchanged.
    func next(
        after changes: GatheredChanges, _ mailbox: ChangeMailbox
    ) async throws -> (old: [ResultRow<Model>], new: [ResultRow<Model>])? {
        let table = Model.Mapper.table.name
        let old = previous?.rows ?? []
        let isFirst = previous == nil
        let outcome = try await context.withSnapshot { store in
            // A commit that came in after `changes` was taken may already be part of the snapshot.
            // Its records are read now and stay in the mailbox, so they are read once more with the
            // next call.
            guard query.skipped == 0, !query.namesRelatives, !Model.Mapper.table.isReadOnly,
                let before = changes.ids(of: table),
                let meanwhile = mailbox.ids(of: table), let ids = Self.ids(before + meanwhile)
            else { return try await refetch(store) }
            let outcome = try await update(ids, store)
            return outcome == .unknown ? try await refetch(store) : outcome
        }
        guard outcome == .changed || isFirst else { return nil }
        return (old, previous?.rows ?? [])
    }

    /// Parses id strings; nil if one of them is not a valid id.
    private static func ids(_ keys: [TextKey]) -> Set<Model.ID>? {
        var ids: Set<Model.ID> = []
        for key in keys {
            guard let id = Model.ID(key.text) else { return nil }
            ids.insert(id)
        }
        return ids
    }

    /// Reads the records with these ids and updates the previous result.
    private func update(
        _ ids: Set<Model.ID>, _ store: any EntityStore
    ) async throws -> ResultRows<Model>.Outcome {
        guard var previous else { return .unknown }
        var records: [(id: Model.ID, entity: Model?)] = []
        for id in ids {
            try Task.checkCancellation()
            records.append((id, try await store.readIfThere(Model.self, id: id)))
        }
        // Releases the stored reference, so that the rows are updated in place.
        self.previous = nil
        let outcome = try previous.update(with: records)
        self.previous = previous
        return outcome
    }

    /// Runs the whole query and compares the result with the previous one.
    private func refetch(_ store: any EntityStore) async throws -> ResultRows<Model>.Outcome {
        var query = query
        if context.needsResolution(query, in: store) {
            query = try await context.resolved(query, in: store)
        }
        var run = try QueryRun(query, store, needing: .fields)
        try context.admit(query, run.plan)
        let evaluator = run.evaluator
        let rows = try await run.collect { ResultRow($0.entity, $0.values, evaluator) }
        let fresh = ResultRows(rows, of: query, evaluator)
        if let previous, previous.isSame(as: fresh) { return .same }
        previous = fresh
        return .changed
    }
}

/// Produces the entities of a query.
final class ObservedEntities<Model: Entity>: ObservedSource {
    private let result: ObservedQuery<Model>

    init(_ query: Query<Model>, _ context: RepositoryContext) {
        result = ObservedQuery(query, context)
    }

    var context: RepositoryContext { result.context }
    var interest: ChangeInterest { result.interest }

    func next(
        after changes: GatheredChanges, _ mailbox: ChangeMailbox
    ) async throws -> [Model]? {
        try await result.next(after: changes, mailbox)?.new.map(\.entity)
    }
}

/// Produces the entities of a query and their differences from the previous result.
final class ObservedChanges<Model: Entity>: ObservedSource {
    private let result: ObservedQuery<Model>

    init(_ query: Query<Model>, _ context: RepositoryContext) {
        result = ObservedQuery(query, context)
    }

    var context: RepositoryContext { result.context }
    var interest: ChangeInterest { result.interest }

    func next(
        after changes: GatheredChanges, _ mailbox: ChangeMailbox
    ) async throws -> QueryChanges<Model>? {
        guard let (old, new) = try await result.next(after: changes, mailbox) else { return nil }
        return QueryChanges(items: new.map(\.entity), changes: RowDifference(old, new).changes)
    }
}
