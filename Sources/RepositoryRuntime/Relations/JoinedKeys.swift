/// Reads the rows of a join entity: the pairs of parent key and related key, for some parents.
struct JoinedKeys<Join: Entity> {
    /// The field that refers to the parent.
    let from: FieldPath
    /// The field that refers to the related record.
    let to: FieldPath

    /// The parent keys for each related key, restricted to the given parents.
    func parents(
        of keys: [StoredValue], _ context: RepositoryContext
    ) async throws -> [StoredValue: Set<StoredValue>] {
        guard let first = keys.first else { return [:] }
        let plan = QueryPlan(query(.compare(from, .equal, first), context), context.store)
        var parents: [StoredValue: Set<StoredValue>] = [:]
        let size = KeyChunk.size(for: from, of: Join.self, plan)
        for chunk in keys.chunks(ofAtMost: size) {
            let query = query(
                size == 1
                    ? .compare(from, .equal, chunk[chunk.startIndex]) : .isIn(from, Set(chunk)),
                context)
            var run = try QueryRun(query, context.store, needing: .paths([from, to]))
            try context.admit(query, run.plan)
            func add(_ parent: StoredValue, _ key: StoredValue) {
                if key != .null { parents[key, default: []].insert(parent) }
            }
            if let selection = run.wholeSelection {
                let rows = try await context.store.values(Join.self, selection, at: [from, to])
                for row in rows { add(row[0], row[1]) }
            } else {
                try await run.visit { row in
                    add(from.value(in: row.values), to.value(in: row.values))
                    return true
                }
            }
        }
        return parents
    }

    /// A query of join records without a sort order, which is irrelevant here.
    private func query(_ condition: ConditionTree, _ context: RepositoryContext) -> Query<Join> {
        context.scoped(Query(Condition(condition), sortKeys: []))
    }
}
