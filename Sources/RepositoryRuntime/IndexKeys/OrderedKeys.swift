/// Keys of an index in their order, wherever they are.
protocol OrderedKeys {
    /// The first keys of a range, in order.
    func ascending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey]
    /// The last keys of a range, from the last on.
    func descending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey]
}

/// Keys as they are when some have been added and others taken away, which are few: what a write that is not yet
/// committed sees.
struct ChangedKeys: OrderedKeys {
    let base: any OrderedKeys
    /// Keys that are not in the base.
    let added: any OrderedKeys
    /// Whether a key of the base is gone.
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

    /// The first of two orders together, of which the base is read in parts, because what is gone must be made up for.
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
