extension QueryPlanner {
    /// Returns a plan that reads records by id, if the conditions restrict the id to known values.
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

    /// Returns the plan that reads these ids in id order.
    private func idPlan(_ ids: Set<[StoredValue]>, _ remainder: [ConditionTree]) -> QueryPlan {
        QueryPlan(
            .ids(ids.sorted { $0.lexicographicallyPrecedes($1) }), remainder: remainder,
            sortsInRuntime: !sortsByID, maximumReads: ids.count)
    }

    /// Returns the ids that a record may have if it satisfies the condition, and whether the
    /// condition requires nothing else. Returns nil if the condition does not restrict the id to
    /// known values.
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

    /// For each component of the id, returns the value that it must equal and the condition that
    /// requires this.
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
    /// The unwrapped elements; nil if the array is empty or contains nil.
    fileprivate var allPresent: [StoredValue]? {
        let present = compactMap { $0 }
        return present.isEmpty || present.count < count ? nil : present
    }
}
