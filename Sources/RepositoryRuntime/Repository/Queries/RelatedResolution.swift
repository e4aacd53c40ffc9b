/// Replaces the conditions on related records of one query.
struct RelatedResolution {
    let context: RepositoryContext
    let store: any EntityStore
    let allowsFullScan: Bool

    /// Returns the whole condition of a query without conditions on related records.
    ///
    /// If the record's own conditions find fewer records than those on the related ones, as far as
    /// the plans tell, the search begins with them: only what these records refer to is read.
    func resolved<E: Entity>(
        whole tree: ConditionTree, of type: E.Type
    ) async throws -> ConditionTree {
        let conjuncts = tree.conjuncts
        let own = conjuncts.filter { !$0.namesRelatives }
        var restricted: [RelatedCondition] = []
        var others: [ConditionTree] = []
        for conjunct in conjuncts where conjunct.namesRelatives {
            if case .related(let related) = conjunct,
                try RelatedSide(related, beside: own, of: type, in: store) == .record
            {
                restricted.append(related)
            } else {
                others.append(conjunct)
            }
        }
        guard !restricted.isEmpty else { return try await resolved(tree, of: type) }
        let keys = try await keys(of: type, where: own, for: restricted)
        var resolved = own + (try await self.resolved(others, of: type))
        for (related, known) in zip(restricted, keys) {
            resolved.append(
                try await members(related, of: type, Self.entity(related.link), among: known))
        }
        return .all(resolved)
    }

    /// Returns the keys by which the records that satisfy their own conditions are linked, for each
    /// of some conditions.
    private func keys<E: Entity>(
        of type: E.Type, where own: [ConditionTree], for related: [RelatedCondition]
    ) async throws -> [Set<StoredValue>] {
        var keys = [Set<StoredValue>](repeating: [], count: related.count)
        let query = Query<E>(Condition(.all(own)), sortKeys: [])
        var run = try QueryRun(
            query, store, needing: .paths(related.compactMap(\.link.reference)))
        try await run.visit { row in
            for (place, condition) in related.enumerated() {
                if let reference = condition.link.reference {
                    keys[place].insert(reference.value(in: row.values))
                } else {
                    keys[place].insert(try StoredValue(encoding: row.entity.id))
                }
            }
            return true
        }
        return keys.map { $0.subtracting([.null]) }
    }

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
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: return tree
        }
    }

    /// The entity to which a link leads.
    ///
    /// - Throws: `invalidQuery` for another type of record, to which generated code never leads.
    static func entity(_ link: RecordLink) throws -> any Entity.Type {
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
    ///
    /// - Parameter known: the keys to look among; nil for all.
    private func members<E: Entity, Target: Entity>(
        _ related: RelatedCondition, of type: E.Type, _ target: Target.Type,
        among known: Set<StoredValue>? = nil
    ) async throws -> ConditionTree {
        let condition = try await resolved(related.condition, of: target)
        var counts = RelatedCounts(minimum: related.minimum)
        for part in try parts(of: known, by: related.link.backReference, target) {
            try await count(
                related, where: .all([part, condition].compactMap { $0 }), target, &counts)
        }
        if let reference = related.link.reference { return .isIn(reference, counts.keys) }
        let id = QueryField<E, E.ID>(key: E.Mapper.table.key)
        return id.components.isEmpty
            ? .isIn(id.queryPath, counts.keys) : .any(counts.keys.map { id.equality($0) })
    }

    /// Returns the conditions that restrict the target to known keys, one for each query; a nil one
    /// if all keys are wanted.
    ///
    /// - Parameter name: the property of the target that holds the key; nil for its id.
    func parts<Target: Entity>(
        of known: Set<StoredValue>?, by name: String?, _ target: Target.Type
    ) throws -> [ConditionTree?] {
        guard let known else { return [nil] }
        let keys = Array(known)
        guard let name else {
            let id = QueryField<Target, Target.ID>(key: Target.Mapper.table.key)
            return keys.chunks(ofAtMost: KeyChunk.size(of: Target.ID.self)).map { chunk in
                id.components.isEmpty
                    ? .isIn(id.queryPath, Set(chunk)) : .any(chunk.map { id.equality($0) })
            }
        }
        guard let first = keys.first else { return [] }
        let field = try FieldPath(Target.self, name)
        let sample = Query<Target>(Condition(.compare(field, .equal, first)), sortKeys: [])
        let size = KeyChunk.size(for: field, of: target, QueryPlan(sample, store))
        return keys.chunks(ofAtMost: size).map { chunk in
            chunk.count == 1
                ? .compare(field, .equal, chunk[chunk.startIndex]) : .isIn(field, Set(chunk))
        }
    }

    /// Counts the matching records of the target under the keys by which they are linked: their
    /// ids, or the values of their references.
    private func count<Target: Entity>(
        _ related: RelatedCondition, where condition: ConditionTree, _ target: Target.Type,
        _ counts: inout RelatedCounts
    ) async throws {
        var query = Query<Target>(Condition(condition), sortKeys: [])
        if allowsFullScan { query = query.allowingFullScan() }
        if let name = related.link.backReference {
            let field = try FieldPath(Target.self, name)
            let paths = [field] + [related.distinct].compactMap { $0 }
            var run = try QueryRun(query, store, needing: .paths(paths))
            try context.admit(query, run.plan)
            try await run.visitValues { values in
                counts.add(field.value(in: values), related.distinct?.value(in: values))
                return true
            }
        } else {
            var run = try QueryRun(query, store)
            try context.admit(query, run.plan)
            try await run.visit { row in
                counts.add(try StoredValue(encoding: row.entity.id), nil)
                return true
            }
        }
    }
}

/// The side at which the search for related records begins.
enum RelatedSide {
    /// The records with the condition: what they are linked with is read.
    case record
    /// The related records.
    case target

    /// Chooses the side that reads less, as far as plans tell without statistics: known ids and
    /// unique values before other indexes, and these before all records.
    ///
    /// - Parameter own: the conditions on the record itself.
    init<E: Entity>(
        _ related: RelatedCondition, beside own: [ConditionTree], of type: E.Type,
        in store: any EntityStore
    ) throws {
        guard !own.isEmpty else {
            self = .target
            return
        }
        let plan = QueryPlan(Query<E>(Condition(.all(own)), sortKeys: []), store)
        let other = try Self.plan(related, RelatedResolution.entity(related.link), store)
        self = Self.rank(plan) < Self.rank(other) ? .record : .target
    }

    /// The plan for the related records, where those related to them are known.
    private static func plan<Target: Entity>(
        _ related: RelatedCondition, _ target: Target.Type, _ store: any EntityStore
    ) -> QueryPlan {
        let query = Query<Target>(Condition(related.condition), sortKeys: [])
        return QueryPlan(query.assumingRelatives(in: store), store)
    }

    /// Chooses the side at which the search for the values of a sort order begins.
    init<E: Entity>(sorting query: Query<E>, in store: any EntityStore) {
        let plan = QueryPlan(Query<E>(query.condition, sortKeys: []), store)
        self = Self.rank(plan) < 2 ? .record : .target
    }

    /// Whether all records of an entity are read to find those with one value of a field.
    static func readsAll<E: Entity>(
        of type: E.Type, by field: FieldPath, in store: any EntityStore
    ) -> Bool {
        let value = StoredValue.sample(of: E.Mapper.layout.fields[field.field].type)
        let query = Query<E>(Condition(.compare(field, .equal, value)), sortKeys: [])
        return rank(QueryPlan(query, store)) == 2
    }

    private static func rank(_ plan: QueryPlan) -> Int {
        if plan.maximumReads != nil { return 0 }
        return plan.isFullScan || plan.access == .scan ? 2 : 1
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
