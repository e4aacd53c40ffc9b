extension QueryPlanner {
    /// Whether the store does all that a scan can say, and not only look up leading fields.
    private var scansWholly: Bool { capabilities.has(.indexScans) }

    /// How each index serves a query with some conditions, the id among them where it may.
    private func matches(
        _ query: Query<Model>, _ conditions: [ConditionTree], isPlain: Bool
    ) -> [IndexMatch] {
        var matches = table.indexes.indices.compactMap {
            IndexMatch($0, query, conditions, isPlain: isPlain)
        }
        if !isPlain, capabilities.has(.idScans), mayScanIDs(conditions),
            let match = IndexMatch(IndexScan.ids, query, conditions, isPlain: false)
        {
            matches.append(match)
        }
        return matches
    }

    /// Whether a scan of the ids may serve: where a condition is about the first component, or where only the order matters.
    private func mayScanIDs(_ conditions: [ConditionTree]) -> Bool {
        guard let first = table.key.first else { return false }
        if conditions.isEmpty { return !query.sortKeys.isEmpty }
        return conditions.contains { $0.isAbout(first) }
    }

    /// The access by the declared index that leads to the fewest records, as far as that can be said without them.
    func indexPlan() -> QueryPlan? {
        guard scansWholly || capabilities.has(.finders) else { return nil }
        let matches = matches(query, conjuncts, isPlain: !scansWholly)
        if let best = best(of: matches.filter(\.isSelective)) { return plan(best) }
        if scansWholly, let union = unionPlan() { return union }
        guard scansWholly, !sortsByID else { return nil }
        return best(of: matches.filter(\.isOrdered)).map { plan($0) }
    }

    private func best(of matches: [IndexMatch]) -> IndexMatch? {
        var best: IndexMatch?
        for match in matches where best.map({ match.isBetter(than: $0) }) ?? true { best = match }
        return best
    }

    private func plan(_ match: IndexMatch) -> QueryPlan {
        let covered = Set(match.covered)
        let remainder = conjuncts.filter { !covered.contains($0) }
        // A list none of whose values can be stored.
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
            missingIndex: !match.isSelective && !remainder.isEmpty ? missingIndex : [])
    }

    /// The access to records of which one of several conditions holds, each by an index of its own.
    private func unionPlan() -> QueryPlan? {
        for (position, conjunct) in conjuncts.enumerated() {
            guard case .any = conjunct else { continue }
            let alternatives = conjunct.alternatives
            // Each takes a scan of its own.
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
    /// Whether the condition is one about a field by itself, as an index over that field may be asked for it.
    fileprivate func isAbout(_ field: Int) -> Bool {
        switch self {
        case .compare(let path, _, _), .isIn(let path, _), .text(let path, _):
            path.field == field && path.names.isEmpty
        case .not(let condition): condition.isAbout(field)
        case .any(let conditions): conditions.first?.isAbout(field) ?? false
        case .all, .constant, .hasElement, .invalid: false
        }
    }
}
