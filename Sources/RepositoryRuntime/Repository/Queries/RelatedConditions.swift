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
        _ = try QueryEvaluator(query)
        guard needsResolution(query) else { return nil }
        let store = store
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
    func needsResolution<E: Entity>(_ query: Query<E>) -> Bool {
        guard query.namesRelatives else { return false }
        return QueryPlan(query, store).remainder.contains(where: \.namesRelatives)
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
        return query.with(try await resolution.resolved(query.condition.tree, of: E.self))
    }
}

/// Replaces the conditions on related records of one query.
private struct RelatedResolution {
    let context: RepositoryContext
    let store: any EntityStore
    let allowsFullScan: Bool

    /// Returns the condition on an entity without conditions on related records.
    func resolved<E: Entity>(
        _ tree: ConditionTree, of type: E.Type
    ) async throws -> ConditionTree {
        guard tree.namesRelatives else { return tree }
        switch tree {
        case .related(let related):
            return try await members(related, of: type, Self.entity(related.link))
        case .all(let conditions): return .all(try await resolved(conditions, of: type))
        case .any(let conditions): return .any(try await resolved(conditions, of: type))
        case .not(let condition): return .not(try await resolved(condition, of: type))
        case .constant, .compare, .isIn, .text, .hasElement, .invalid: return tree
        }
    }

    /// The entity to which a link leads.
    ///
    /// - Throws: `invalidQuery` for another type of record, to which generated code never leads.
    private static func entity(_ link: RecordLink) throws -> any Entity.Type {
        guard let entity = link.target as? any Entity.Type else {
            throw CRUDRepositoryError.invalidQuery(
                "'\(link.name)' leads to no entity.", table: link.target.linkedTable)
        }
        return entity
    }

    private func resolved<E: Entity>(
        _ trees: [ConditionTree], of type: E.Type
    ) async throws -> [ConditionTree] {
        var result: [ConditionTree] = []
        for tree in trees { result.append(try await resolved(tree, of: type)) }
        return result
    }

    /// Returns the condition that an entity has such related records, as a set of ids.
    private func members<E: Entity, Target: Entity>(
        _ related: RelatedCondition, of type: E.Type, _ target: Target.Type
    ) async throws -> ConditionTree {
        let condition = try await resolved(related.condition, of: target)
        let keys = try await self.keys(of: related, where: condition, target)
        if let reference = related.link.reference { return .isIn(reference, keys) }
        let id = QueryField<E, E.ID>(key: E.Mapper.table.key)
        return id.components.isEmpty
            ? .isIn(id.queryPath, keys) : .any(keys.map { id.equality($0) })
    }

    /// Returns the keys by which the matching records of the target are linked: their ids, or the
    /// values of their references.
    private func keys<Target: Entity>(
        of related: RelatedCondition, where condition: ConditionTree, _ target: Target.Type
    ) async throws -> Set<StoredValue> {
        var query = Query<Target>(Condition(condition), sortKeys: [])
        if allowsFullScan { query = query.allowingFullScan() }
        guard let name = related.link.backReference else {
            var keys: Set<StoredValue> = []
            var run = try QueryRun(query, store)
            try context.admit(query, run.plan)
            try await run.visit { row in
                keys.insert(try StoredValue(encoding: row.entity.id))
                return true
            }
            return keys
        }
        let field = try FieldPath(Target.self, name)
        let paths = [field] + [related.distinct].compactMap { $0 }
        var counts = RelatedCounts(minimum: related.minimum)
        var run = try QueryRun(query, store, needing: .paths(paths))
        try context.admit(query, run.plan)
        try await run.visitValues { values in
            counts.add(field.value(in: values), related.distinct?.value(in: values))
            return true
        }
        return counts.keys
    }
}

/// Counts the related records of each key.
private struct RelatedCounts {
    let minimum: Int
    private var numbers: [StoredValue: Int] = [:]
    private var seen: Set<[StoredValue]> = []
    /// The keys with enough records.
    private(set) var keys: Set<StoredValue> = []

    init(minimum: Int) { self.minimum = minimum }

    /// Adds a record of a key. Null is no key.
    ///
    /// - Parameter value: records with the same value count once; nil to count each.
    mutating func add(_ key: StoredValue, _ value: StoredValue?) {
        guard key != .null else { return }
        if minimum == 1 {
            keys.insert(key)
            return
        }
        if let value, !seen.insert([key, value]).inserted { return }
        numbers[key, default: 0] += 1
        if numbers[key] == minimum { keys.insert(key) }
    }
}
