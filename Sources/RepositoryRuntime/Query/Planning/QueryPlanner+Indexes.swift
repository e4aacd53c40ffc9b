extension QueryPlanner {
    /// Whether the store supports complete index scans, and not only lookups by leading fields.
    private var scansWholly: Bool { capabilities.has(.indexScans) }

    /// Returns the match of each index that can serve a query with these conditions, including the
    /// ids if the store can scan them.
    private func matches(
        _ query: Query<Model>, _ conditions: [ConditionTree], isPlain: Bool
    ) -> [IndexMatch] {
        var matches = table.indexes.indices.compactMap {
            IndexMatch(
                $0, query, conditions, isPlain: isPlain, hashesEncrypted: hashesEncrypted)
        }
        if !isPlain, capabilities.has(.idScans), mayScanIDs(conditions),
            let match = IndexMatch(IndexScan.ids, query, conditions, isPlain: false)
        {
            matches.append(match)
        }
        return matches
    }

    /// Whether a scan of the ids is a candidate: a condition is about the first component, or there
    /// are no conditions and only the order matters.
    private func mayScanIDs(_ conditions: [ConditionTree]) -> Bool {
        guard let first = table.key.first else { return false }
        if conditions.allSatisfy(table.isPresence) { return !query.sortKeys.isEmpty }
        return conditions.contains { $0.isAbout(first) }
    }

    /// Returns a plan that uses the index expected to find the fewest records. The choice depends
    /// only on the query, not on the data.
    ///
    /// A selective index is preferred to a union of scans, and that to an index that only provides
    /// the order.
    func indexPlan() -> QueryPlan? {
        guard scansWholly || capabilities.has(.finders) else { return nil }
        let matches = matches(query, conjuncts, isPlain: !scansWholly)
        if let best = best(of: matches.filter(\.isSelective)) { return plan(best) }
        if scansWholly, let union = unionPlan() { return union }
        guard scansWholly, !sortsByID else { return nil }
        return best(of: matches.filter(\.isOrdered)).map { plan($0) }
    }

    /// Returns the best match; the first one of several equally good ones.
    private func best(of matches: [IndexMatch]) -> IndexMatch? {
        var best: IndexMatch?
        for match in matches where best.map({ match.isBetter(than: $0) }) ?? true { best = match }
        return best
    }

    /// Returns the plan that uses a match. Conditions that the scans do not satisfy completely stay
    /// to be tested.
    private func plan(_ match: IndexMatch) -> QueryPlan {
        let covered = Set(match.covered)
        let remainder = conjuncts.filter { !covered.contains($0) }
        // The query asks for a list of values none of which can be stored.
        if match.scans.isEmpty, query.start == nil {
            return QueryPlan(.nothing, remainder: [], sortsInRuntime: false, maximumReads: 0)
        }
        var reads = match.isUnique ? match.scans.count : nil
        if remainder.isEmpty, match.isOrdered, let most = wantedReads {
            reads = min(reads ?? most, most)
        }
        return QueryPlan(
            .index(match.scans), remainder: remainder, sortsInRuntime: !match.isOrdered,
            maximumReads: reads,
            missingIndex: !match.isSelective && !remainder.allSatisfy(table.isPresence)
                ? missingIndex : [])
    }

    /// Returns a plan for a disjunction: the alternatives are found by separate scans, each with
    /// its own index.
    ///
    /// Returns nil if an alternative has no selective index, or if more than
    /// ``FieldConstraint/mostValues`` scans would be needed.
    private func unionPlan() -> QueryPlan? {
        for (position, conjunct) in conjuncts.enumerated() {
            guard case .any = conjunct else { continue }
            let alternatives = conjunct.alternatives
            // Each alternative needs at least one scan.
            guard alternatives.count <= FieldConstraint.mostValues else { return nil }
            var others = conjuncts
            others.remove(at: position)
            var scans: [IndexScan] = []
            var isWhole = true
            for alternative in alternatives {
                let conditions = alternative.conjuncts + others
                let matches = matches(query.withoutStart, conditions, isPlain: false)
                guard let best = best(of: matches.filter(\.isSelective)),
                    scans.count + best.scans.count <= FieldConstraint.mostValues
                else { return nil }
                scans += best.scans.filter { !scans.contains($0) }
                isWhole = isWhole && alternative.conjuncts.allSatisfy(best.covered.contains)
            }
            return QueryPlan(
                .index(scans), remainder: isWhole ? others : conjuncts, sortsInRuntime: true)
        }
        return nil
    }
}

extension ConditionTree {
    /// Whether the condition restricts the field itself, so that an index over it may serve the
    /// condition.
    fileprivate func isAbout(_ field: Int) -> Bool {
        switch self {
        case .compare(let path, _, _), .isIn(let path, _), .text(let path, _):
            path.field == field && path.names.isEmpty
        case .not(let condition): condition.isAbout(field)
        case .any(let conditions): conditions.first?.isAbout(field) ?? false
        case .all, .constant, .compareFields, .hasElement, .related, .invalid: false
        }
    }
}
