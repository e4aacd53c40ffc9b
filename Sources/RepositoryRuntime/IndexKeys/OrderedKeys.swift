/// An ordered collection of index keys, independent of where they are stored.
///
/// ``OrderedTree`` is one in memory. ``ChangedKeys`` combines two of them.
protocol OrderedKeys {
    /// Returns the first keys of a range, in ascending order.
    func ascending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey]
    /// Returns the last keys of a range, in descending order.
    func descending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey]
}

/// Index keys with a few uncommitted changes applied: the view of a write transaction.
///
/// The changes are merged while reading, so that the base is never copied.
struct ChangedKeys: OrderedKeys {
    /// The committed keys.
    let base: any OrderedKeys
    /// The added keys, none of which is in the base.
    let added: any OrderedKeys
    /// Whether a key of the base is removed.
    let isRemoved: (IndexKey) -> Bool

    func ascending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey] {
        guard limit > 0 else { return [] }
        var rest = range
        return try merged(limit, by: <, try added.ascending(range, limit: limit)) { count, last in
            if let last { rest = range.after(last) }
            return try base.ascending(rest, limit: count)
        }
    }

    func descending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey] {
        guard limit > 0 else { return [] }
        var rest = range
        return try merged(limit, by: >, try added.descending(range, limit: limit)) { count, last in
            if let last { rest = range.before(last) }
            return try base.descending(rest, limit: count)
        }
    }

    /// Merges the first keys of both collections. The base is read in several parts, because
    /// removed keys must be replaced by later ones.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of keys.
    ///   - precedes: the direction of the merge.
    ///   - added: the added keys in this direction.
    ///   - next: returns up to a number of keys of the base after the last one read.
    private func merged(
        _ limit: Int, by precedes: (IndexKey, IndexKey) -> Bool, _ added: [IndexKey],
        _ next: (Int, IndexKey?) throws -> [IndexKey]
    ) throws -> [IndexKey] {
        var result: [IndexKey] = []
        var others = added[...]
        var last: IndexKey?
        while result.count < limit {
            let count = limit - result.count
            let part = try next(count, last)
            for key in part where !isRemoved(key) {
                while let other = others.first, precedes(other, key) {
                    result.append(other)
                    others.removeFirst()
                }
                result.append(key)
            }
            last = part.last
            if part.count < count { break }
        }
        return Array((result + others).prefix(limit))
    }
}
