/// Finds the access that leads to the fewest records, by a plain rule that looks at the query and not at the data: by
/// ids; by a unique index; by the index of which the most leading fields are known; by the one that bounds the next field
/// on the most sides; by several scans where one of several conditions must hold; by the one in the order of the query;
/// otherwise everything is read.
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
        RecordOrder(query.sortKeys, table, constant: [])
            == RecordOrder([], table, constant: [])
    }

    /// How many records are wanted at most, those that are left out included.
    var wantedReads: Int? {
        guard let maximum = query.maximum else { return nil }
        let sum = query.skipped.addingReportingOverflow(maximum)
        return sum.overflow ? nil : sum.partialValue
    }

    private func scanPlan() -> QueryPlan {
        let isBounded = conjuncts.isEmpty && sortsByID
        return QueryPlan(
            .scan, remainder: conjuncts, sortsInRuntime: !sortsByID,
            maximumReads: isBounded ? wantedReads : nil, missingIndex: missingIndex)
    }
}

extension QueryPlanner {
    /// The fields of an index that would serve the query, as a schema writes them; empty where none would.
    var missingIndex: [String] {
        let fields = conjuncts.flatMap(\.indexedFields).filter { table.canIndex($0.field) }
        var keys: [SortKey] = []
        func add(_ field: Int, _ direction: SortDirection = .ascending) {
            if keys.contains(where: { $0.path == FieldPath(field) }) { return }
            keys.append(SortKey(path: FieldPath(field), direction: direction))
        }
        for field in fields where field.isEquality { add(field.field) }
        if let bounded = fields.first(where: { !$0.isEquality }) {
            add(bounded.field)
        } else if conjuncts.isEmpty || !keys.isEmpty {
            // An order helps where the index leads to the records, or where there is nothing to be tested.
            guard query.sortKeys.allSatisfy({ $0.path.names.isEmpty }) else { return text(keys) }
            for key in query.sortKeys { add(key.path.field, key.direction) }
        }
        return text(keys)
    }

    private func text(_ keys: [SortKey]) -> [String] {
        keys.map {
            ($0.direction == .descending ? "-" : "") + table.declaredName(ofField: $0.path.field)
        }
    }
}

extension ConditionTree {
    /// The fields of which an index could be asked for this condition.
    fileprivate var indexedFields: [(field: Int, isEquality: Bool)] {
        switch self {
        case .compare(let path, let comparison, _) where path.names.isEmpty:
            [(path.field, comparison == .equal)]
        case .isIn(let path, _) where path.names.isEmpty: [(path.field, true)]
        case .text(let path, let search)
        where path.names.isEmpty && search.kind == .hasPrefix && !search.ignoringCase:
            [(path.field, false)]
        case .not(.compare(let path, .equal, .null)) where path.names.isEmpty:
            [(path.field, false)]
        default: []
        }
    }
}
