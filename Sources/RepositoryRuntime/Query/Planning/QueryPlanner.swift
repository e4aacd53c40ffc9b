/// Finds the cheapest access that the calls of every store give: ids, then a declared index, then everything.
struct QueryPlanner<Model: Entity> {
    let query: Query<Model>
    let capabilities: StoreCapabilities
    let table = Model.Mapper.table
    let conjuncts: [ConditionTree]

    init(_ query: Query<Model>, _ capabilities: StoreCapabilities) {
        self.query = query
        self.capabilities = capabilities
        conjuncts = query.condition.tree.conjuncts
    }

    func plan() -> QueryPlan {
        if query.condition.tree.isNever || query.maximum == 0 {
            return QueryPlan(.nothing, remainder: [], sortsInRuntime: false, maximumReads: 0)
        }
        return idPlan() ?? indexPlan() ?? scanPlan()
    }

    /// Whether the order of the query is that of ids.
    var sortsByID: Bool {
        for (index, key) in query.sortKeys.enumerated() {
            guard index < table.key.count else { return true }
            guard key.direction == .ascending, key.path == FieldPath(table.key[index]) else {
                return false
            }
        }
        return true
    }

    private func scanPlan() -> QueryPlan {
        let isBounded = conjuncts.isEmpty && sortsByID
        let reads = query.maximum.map { query.skipped.addingReportingOverflow($0) }
        return QueryPlan(
            .scan, remainder: conjuncts, sortsInRuntime: !sortsByID,
            maximumReads: isBounded ? reads.flatMap { $0.overflow ? nil : $0.partialValue } : nil,
            missingIndex: missingIndex)
    }

    /// The fields that are compared for equality, of which an index could be made.
    private var missingIndex: [String] {
        guard capabilities.has(.finders) else { return [] }
        var names: [String] = []
        for case .compare(let path, .equal, _) in conjuncts
        where path.names.isEmpty && !names.contains(path.text(in: table.layout)) {
            names.append(path.text(in: table.layout))
        }
        return names
    }
}
