/// Range reads. They read only the pages that overlap the range, up to the limit.
extension IndexPages: OrderedKeys {
    /// Returns the first keys of a range, in ascending order. Stops reading pages when the limit is
    /// reached.
    func ascending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey] {
        var result: [IndexKey] = []
        guard limit > 0, !range.isEmpty else { return result }
        var position = directory.position(of: range.lower)
        while result.count < limit, directory.entries.indices.contains(position),
            directory.entries[position].lower < range.upper
        {
            let keys = try storage.keys(directory.entries[position].page, in: range)
            result += keys.prefix(limit - result.count)
            position += 1
        }
        return result
    }

    /// Returns the last keys of a range, in descending order. Stops reading pages when the limit is
    /// reached.
    func descending(_ range: IndexKeyRange, limit: Int) throws -> [IndexKey] {
        var result: [IndexKey] = []
        guard limit > 0, !range.isEmpty else { return result }
        var position = directory.position(of: range.upper)
        while result.count < limit, directory.entries.indices.contains(position) {
            let keys = try storage.keys(directory.entries[position].page, in: range)
            result += keys.reversed().prefix(limit - result.count)
            if !(range.lower < directory.entries[position].lower) { break }
            position -= 1
        }
        return result
    }

    /// Returns the number of keys in a range. Reads the pages that overlap the range.
    func count(_ range: IndexKeyRange = .all) throws -> Int {
        guard !range.isEmpty else { return 0 }
        var count = 0
        var position = directory.position(of: range.lower)
        while directory.entries.indices.contains(position),
            directory.entries[position].lower < range.upper
        {
            let page = try storage.page(directory.entries[position].page)
            count += page.bounds(of: range).count
            position += 1
        }
        return count
    }

    /// Returns whether the index contains a key.
    func contains(_ key: IndexKey) throws -> Bool {
        try ascending(IndexKeyRange(lower: key, upper: key.successor), limit: 1).first == key
    }
}

/// Binary searches in sorted keys.
extension RandomAccessCollection where Element == IndexKey, Index == Int {
    /// Returns the position of the first key that is not less than the given key. The collection
    /// must be sorted.
    func firstPosition(from key: IndexKey) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the position of the first key that is greater than the given key. The collection
    /// must be sorted.
    func firstPosition(behind key: IndexKey) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if key < self[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the positions of the keys in a range. The collection must be sorted.
    func bounds(of range: IndexKeyRange) -> Range<Int> {
        let lower = firstPosition(from: range.lower)
        return lower..<Swift.max(lower, firstPosition(from: range.upper))
    }
}

/// Changes of the sorted keys of one page.
extension Array where Element == IndexKey {
    /// The keys of a sorted array without duplicates.
    var withoutRepetition: [IndexKey] {
        var result: [IndexKey] = []
        result.reserveCapacity(count)
        for key in self where result.last != key { result.append(key) }
        return result
    }

    /// Adds and removes keys. A key in both lists stays.
    ///
    /// Merges the lists in one pass, O(*n*); a few changes use binary search instead.
    ///
    /// - Parameters:
    ///   - adding: the keys to add, sorted.
    ///   - removing: the keys to remove, sorted.
    /// - Returns: The number of keys that were actually added and removed.
    mutating func change(
        adding: ArraySlice<IndexKey>, removing: ArraySlice<IndexKey>
    ) -> (inserted: Int, removed: Int) {
        if adding.count + removing.count < 8 { return changeFew(adding, removing) }
        var result: [IndexKey] = []
        result.reserveCapacity(count + adding.count)
        var counts = (inserted: 0, removed: 0)
        var additions = adding
        var removals = removing
        for key in self {
            while let other = additions.first, other < key {
                additions.removeFirst()
                if result.last == other { continue }
                result.append(other)
                counts.inserted += 1
            }
            while let other = removals.first, other < key { removals.removeFirst() }
            if removals.first == key, additions.first != key {
                counts.removed += 1
            } else {
                result.append(key)
            }
        }
        for other in additions where result.last != other {
            result.append(other)
            counts.inserted += 1
        }
        self = result
        return counts
    }

    /// Adds and removes a few keys, with one binary search each.
    private mutating func changeFew(
        _ adding: ArraySlice<IndexKey>, _ removing: ArraySlice<IndexKey>
    ) -> (inserted: Int, removed: Int) {
        var counts = (inserted: 0, removed: 0)
        for key in removing where !adding.contains(key) {
            let position = firstPosition(from: key)
            guard position < count, self[position] == key else { continue }
            remove(at: position)
            counts.removed += 1
        }
        for key in adding {
            let position = firstPosition(from: key)
            if position < count, self[position] == key { continue }
            insert(key, at: position)
            counts.inserted += 1
        }
        return counts
    }
}
