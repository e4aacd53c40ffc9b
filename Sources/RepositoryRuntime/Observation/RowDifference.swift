/// The differences between two results of a query, with the smallest possible number of moves.
///
/// The common first and last rows are skipped. Of the rows between them, those in a longest
/// increasing subsequence of new indexes keep their order; the other remaining rows are moves. The
/// cost is O(*n* log *n*) for *n* rows in the differing range, and O(*n*) if no row moved.
struct RowDifference<Model: Entity> {
    /// Updates and deletions by old index, then insertions and moves by new index.
    private(set) var changes: [QueryChange<Model>] = []

    /// Computes the differences. No id may occur twice in a result.
    init(_ old: [ResultRow<Model>], _ new: [ResultRow<Model>]) {
        let (start, rest) = Self.commonEnds(old, new)
        let oldRange = start..<(old.count - rest)
        let newRange = start..<(new.count - rest)
        let newPositions = Dictionary(
            newRange.map { (new[$0].entity.id, $0) }, uniquingKeysWith: { $1 })
        // The new index of each old row in the range; nil if the row was removed.
        let targets = oldRange.map { newPositions[old[$0].entity.id] }
        let staying = Self.longestIncreasing(targets)
        var origins: [Int: Int] = [:]
        func compare(_ index: Int, _ target: Int) {
            if !old[index].isSame(as: new[target]) {
                changes.append(.update(new[target].entity, at: index))
            }
        }
        for index in 0..<start { compare(index, index) }
        for (index, target) in zip(oldRange, targets) {
            guard let target else {
                changes.append(.delete(old[index].entity, at: index))
                continue
            }
            if staying.contains(target) { compare(index, target) }
            origins[target] = index
        }
        for index in 0..<rest {
            compare(oldRange.upperBound + index, newRange.upperBound + index)
        }
        for target in newRange where !staying.contains(target) {
            let entity = new[target].entity
            changes.append(
                origins[target].map { .move(entity, from: $0, to: target) }
                    ?? .insert(entity, at: target))
        }
    }

    /// The numbers of leading rows, and of trailing rows among the rest, that have the same ids in
    /// both results.
    private static func commonEnds(
        _ old: [ResultRow<Model>], _ new: [ResultRow<Model>]
    ) -> (start: Int, rest: Int) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start].entity.id == new[start].entity.id { start += 1 }
        var rest = 0
        while rest < shorter - start,
            old[old.count - 1 - rest].entity.id == new[new.count - 1 - rest].entity.id
        {
            rest += 1
        }
        return (start, rest)
    }

    /// The values of a longest increasing subsequence of distinct values (patience sorting).
    private static func longestIncreasing(_ values: [Int?]) -> Set<Int> {
        /// At index *i*, the smallest value that ends an increasing subsequence of length *i* + 1.
        var ends: [Int] = []
        var predecessors: [Int: Int] = [:]
        for case let value? in values {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { predecessors[value] = ends[low - 1] }
            if low < ends.count { ends[low] = value } else { ends.append(value) }
        }
        var result: Set<Int> = []
        var next = ends.last
        while let value = next {
            result.insert(value)
            next = predecessors[value]
        }
        return result
    }
}
