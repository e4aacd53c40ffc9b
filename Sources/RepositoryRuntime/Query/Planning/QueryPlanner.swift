/// Chooses the access that is expected to read the fewest records. The rules depend on the query
/// only, not on statistics about the data.
///
/// The accesses are tried in this order:
/// 1. reading by id
/// 2. a unique index
/// 3. the index with the most known leading fields
/// 4. the index with the most bounds on the next field
/// 5. several scans, if one of several conditions must hold
/// 6. an index in the order of the query
/// 7. reading every record
package struct QueryPlanner<Model: Entity> {
    /// The query to plan.
    let query: Query<Model>
    /// The capabilities of the store, which exclude some accesses.
    let capabilities: StoreCapabilities
    /// The table of the entity.
    let table = Model.Mapper.table
    /// Whether the indexes over encrypted fields contain hashes, which serve only tests of equality.
    let hashesEncrypted: Bool
    /// The conditions that must all hold.
    let conjuncts: [ConditionTree]

    package init(
        _ query: Query<Model>, _ capabilities: StoreCapabilities, hashesEncrypted: Bool = false
    ) {
        self.query = query
        self.capabilities = capabilities
        self.hashesEncrypted = hashesEncrypted
        conjuncts = query.condition.tree.conjuncts
    }

    /// Returns the plan. A query that can match nothing gets a plan that reads nothing.
    package func plan() -> QueryPlan {
        if query.condition.tree.isNever || query.maximum == 0 {
            return QueryPlan(.nothing, remainder: [], sortsInRuntime: false, maximumReads: 0)
        }
        var plan = idPlan() ?? indexPlan() ?? scanPlan()
        plan.testsOnlyPresence =
            !plan.remainder.isEmpty && plan.remainder.allSatisfy(table.isPresence)
        return plan
    }

    /// Whether the order of the query is the id order.
    var sortsByID: Bool {
        RecordOrder(query.sortKeys, table, constant: [])
            == RecordOrder([], table, constant: [])
    }

    /// The maximum number of records wanted, including the skipped ones; nil for no limit.
    var wantedReads: Int? { Self.wantedReads(query) }

    /// The maximum number of records that a query wants, including the skipped ones; nil for no
    /// limit.
    package static func wantedReads(_ query: Query<Model>) -> Int? {
        guard let maximum = query.maximum else { return nil }
        let sum = query.skipped.addingReportingOverflow(maximum)
        return sum.overflow ? nil : sum.partialValue
    }

    /// Returns the plan that reads all records in id order.
    private func scanPlan() -> QueryPlan {
        let isBounded = conjuncts.isEmpty && sortsByID
        return QueryPlan(
            .scan, remainder: conjuncts, sortsInRuntime: !sortsByID,
            maximumReads: isBounded ? wantedReads : nil, missingIndex: missingIndex)
    }
}

extension QueryPlanner {
    /// The fields of an index that would serve the query, as the schema spells them; empty if no
    /// index would.
    ///
    /// Fields that are compared for equality come first. They are followed by one field with a
    /// bound or, if there is none, by the sort keys.
    var missingIndex: [String] {
        let conjuncts = conjuncts.filter { !table.isPresence($0) }
        let all = conjuncts.flatMap(\.indexedFields).filter { table.canIndex($0.path) }
        let fields = all.filter { !table.fields[$0.path.field].isEncrypted }
        var keys: [SortKey] = []
        func add(_ path: FieldPath, _ direction: SortDirection = .ascending) {
            if keys.contains(where: { $0.path == path }) { return }
            keys.append(SortKey(path: path, direction: direction))
        }
        for field in fields where field.isEquality { add(field.path) }
        if let bounded = fields.first(where: { !$0.isEquality }) {
            add(bounded.path)
        } else if conjuncts.isEmpty || !keys.isEmpty {
            // The sort keys are useful only if the index finds the records, or if there is nothing
            // to test.
            guard
                query.sortKeys.allSatisfy({
                    $0.relative == nil && table.canIndex($0.path)
                        && !table.fields[$0.path.field].isEncrypted
                })
            else {
                return text(keys)
            }
            for key in query.sortKeys { add(key.path, key.direction) }
        }
        // An index has one encrypted field and no other.
        if keys.isEmpty, let encrypted = all.first(where: \.isEquality) { add(encrypted.path) }
        return text(keys)
    }

    /// The fields as the schema spells them, with `-` before a descending one.
    private func text(_ keys: [SortKey]) -> [String] {
        keys.map {
            ($0.direction == .descending ? "-" : "") + table.declaredName(of: $0.path)
        }
    }
}

extension ConditionTree {
    /// The fields whose index could serve this condition, and whether the condition requires
    /// equality.
    fileprivate var indexedFields: [(path: FieldPath, isEquality: Bool)] {
        switch self {
        case .compare(let path, let comparison, _): [(path, comparison == .equal)]
        case .isIn(let path, _): [(path, true)]
        case .text(let path, let search) where search.kind == .hasPrefix && !search.ignoringCase:
            [(path, false)]
        case .not(.compare(let path, .equal, .null)): [(path, false)]
        default: []
        }
    }
}
