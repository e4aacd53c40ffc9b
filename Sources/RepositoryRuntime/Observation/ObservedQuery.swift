/// The result of a query, kept from one look to the next.
final class ObservedQuery<Model: Entity> {
    let context: RepositoryContext
    private let query: Query<Model>
    private var kept: KeptRows<Model>?

    init(_ query: Query<Model>, _ context: RepositoryContext) {
        self.query = query
        self.context = context
    }

    var interest: ChangeInterest { .tables([Model.Mapper.table.name]) }

    /// The result before and after some changes; nil where it is the same.
    func next(
        after changes: GatheredChanges, _ mailbox: ChangeMailbox
    ) async throws -> (old: [KeptRow<Model>], new: [KeptRow<Model>])? {
        let table = Model.Mapper.table.name
        let old = kept?.rows ?? []
        let isFirst = kept == nil
        let outcome = try await context.withSnapshot { store in
            // What was committed before the snapshot began may be in it, and is looked at once more afterwards: the ids
            // stay in the mailbox.
            guard query.skipped == 0, let before = changes.ids(of: table),
                let meanwhile = mailbox.ids(of: table), let ids = Self.ids(before + meanwhile)
            else { return try await refetch(store) }
            let outcome = try await update(ids, store)
            return outcome == .unknown ? try await refetch(store) : outcome
        }
        guard outcome == .changed || isFirst else { return nil }
        return (old, kept?.rows ?? [])
    }

    /// Ids from their text forms, each once; nil where one of them is no id.
    private static func ids(_ texts: [TextKey]) -> Set<Model.ID>? {
        var ids: Set<Model.ID> = []
        for key in texts {
            guard let id = Model.ID(key.text) else { return nil }
            ids.insert(id)
        }
        return ids
    }

    private func update(
        _ ids: Set<Model.ID>, _ store: any EntityStore
    ) async throws -> KeptRows<Model>.Outcome {
        guard var kept else { return .unknown }
        var records: [(id: Model.ID, entity: Model?)] = []
        for id in ids {
            try Task.checkCancellation()
            records.append((id, try await store.readIfThere(Model.self, id: id)))
        }
        // Its rows are not copied where nothing else holds them.
        self.kept = nil
        let outcome = try kept.take(records)
        self.kept = kept
        return outcome
    }

    private func refetch(_ store: any EntityStore) async throws -> KeptRows<Model>.Outcome {
        var run = try QueryRun(query, store, needing: .fields)
        let evaluator = run.evaluator
        let rows = try await run.collect { KeptRow($0.entity, $0.values, evaluator) }
        let fresh = KeptRows(rows, of: query, evaluator)
        if let kept, kept.isSame(as: fresh) { return .same }
        kept = fresh
        return .changed
    }
}

extension EntityStore {
    /// Reads an entity; nil where there is none.
    func readIfThere<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        do {
            return try await read(type, id: id)
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return nil
        }
    }
}

/// Gives the entities of a query.
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

/// Gives the entities of a query and what changed among them.
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
