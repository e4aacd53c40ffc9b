extension QueryPlanner {
    /// Whether the store does all that a scan can say, and not only look up leading fields.
    private var scansWholly: Bool { capabilities.has(.indexScans) }

    /// The indexes that the store can scan, as ``IndexScan/index`` names them.
    private var positions: [Int] {
        let declared = Array(table.indexes.indices)
        let scansIDs = scansWholly && capabilities.has(.idScans) && !table.key.isEmpty
        return scansIDs ? declared + [IndexScan.ids] : declared
    }

    /// The access by the declared index that leads to the fewest records, as far as that can be said without them.
    func indexPlan() -> QueryPlan? {
        guard scansWholly || capabilities.has(.finders) else { return nil }
        let matches = positions.compactMap {
            IndexMatch($0, query, conjuncts, isPlain: !scansWholly)
        }
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
        let remainder = conjuncts.filter { !match.covered.contains($0) }
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
            guard case .any(let alternatives) = conjunct else { continue }
            var others = conjuncts
            others.remove(at: position)
            var scans: [IndexScan] = []
            var isWhole = true
            for alternative in alternatives.flatMap(\.alternatives) {
                let conditions = alternative.conjuncts + others
                let matches = positions.compactMap {
                    IndexMatch($0, query.withoutStart, conditions, isPlain: false)
                }
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
