extension QueryPlanner {
    func idPlan() -> QueryPlan? {
        for (position, conjunct) in conjuncts.enumerated() where !table.key.isEmpty {
            guard let found = ids(of: conjunct) else { continue }
            var remainder = conjuncts
            if found.isWhole { remainder.remove(at: position) }
            return idPlan(found.ids, remainder)
        }
        let components = components(of: conjuncts)
        guard let id = components.map(\.value).allPresent else { return nil }
        return idPlan([id], conjuncts.filter { !components.map(\.source).contains($0) })
    }

    private func idPlan(_ ids: Set<[StoredValue]>, _ remainder: [ConditionTree]) -> QueryPlan {
        QueryPlan(
            .ids(ids.sorted { $0.lexicographicallyPrecedes($1) }), remainder: remainder,
            sortsInRuntime: !sortsByID, maximumReads: ids.count)
    }

    /// The only ids that a record can have that is like this, and whether the condition says nothing else; nil where it
    /// can have any id.
    private func ids(
        of condition: ConditionTree
    ) -> (ids: Set<[StoredValue]>, isWhole: Bool)? {
        switch condition {
        case .isIn(FieldPath(table.key[0]), let values) where table.key.count == 1:
            return (Set(values.subtracting([.null]).map { [$0] }), true)
        case .any:
            var union: Set<[StoredValue]> = []
            var isWhole = true
            for alternative in condition.alternatives {
                let conditions = alternative.conjuncts
                let parts = components(of: conditions)
                guard let id = parts.map(\.value).allPresent else { return nil }
                union.insert(id)
                isWhole = isWhole && conditions.count == table.key.count
            }
            return (union, isWhole)
        default:
            return nil
        }
    }

    /// For each component of the id, what it must equal and the condition that says so.
    private func components(
        of conditions: [ConditionTree]
    ) -> [(value: StoredValue?, source: ConditionTree?)] {
        table.key.map { field in
            for case .compare(FieldPath(field), .equal, let value) in conditions
            where value != .null {
                return (value, .compare(FieldPath(field), .equal, value))
            }
            return (nil, nil)
        }
    }
}

extension Array where Element == StoredValue? {
    /// The elements without their optionality, if none is nil and there are any.
    fileprivate var allPresent: [StoredValue]? {
        let present = compactMap { $0 }
        return present.isEmpty || present.count < count ? nil : present
    }
}
