/// An ordered set of index keys, divided into pages that a directory locates.
///
/// A lookup reads only the pages that it needs, and a change writes only the pages that it affects.
/// The structure is a B+ tree of two levels: the directory and the leaf pages.
///
/// This is a value type: copies do not see each other's changes, provided that the storage is a
/// value type too.
struct IndexPages<Storage: IndexPageStorage> {
    /// The maximum number of keys in a page.
    static var capacity: Int { 256 }
    /// The number of keys in a new page. The difference to ``capacity`` leaves room for insertions.
    static var fill: Int { 192 }
    /// A page with fewer keys is merged with a neighbor, if the two fit in one new page.
    static var minimum: Int { 48 }

    /// Maps keys to pages. A caller with persistent storage saves it when it has changed.
    private(set) var directory: IndexDirectory
    /// Contains the pages.
    private(set) var storage: Storage

    /// Creates an index from existing pages. An empty directory creates an empty index.
    init(_ storage: Storage, _ directory: IndexDirectory = IndexDirectory()) {
        self.storage = storage
        self.directory = directory
    }

    /// Creates an index and writes its pages.
    ///
    /// - Parameters:
    ///   - storage: receives the pages.
    ///   - sorted: the keys, in order, without duplicates.
    init(_ storage: Storage, sorted: [IndexKey]) throws {
        self.init(storage)
        try write(sorted, in: 0..<0)
    }

    /// Whether the index has no keys.
    var isEmpty: Bool { directory.entries.isEmpty }

    /// Gives a body access to the storage, for example to adopt changes that others made.
    mutating func withStorage<R>(_ body: (inout Storage) throws -> R) rethrows -> R {
        try body(&storage)
    }
}

extension IndexPages: Sendable where Storage: Sendable {}

extension IndexPages where Storage == MemoryIndexPages {
    /// Creates an empty index in memory.
    init() { self.init(MemoryIndexPages()) }
}

/// Changes. Adding and removing a key takes one binary search in the directory and one in the page.
extension IndexPages {
    /// The number of keys that a change actually added and removed.
    struct Changes: Equatable {
        /// The number of added keys that were not there before.
        var inserted = 0
        /// The number of removed keys that were there before.
        var removed = 0
    }

    /// Adds and removes at most one key each. If both are the same key, it stays.
    @discardableResult
    mutating func apply(inserting: IndexKey?, removing: IndexKey?) throws -> Changes {
        var changes = Changes()
        if let removing, removing != inserting {
            changes.removed = try apply(inserting: [], removing: [removing]).removed
        }
        if let inserting {
            changes.inserted = try apply(inserting: [inserting], removing: []).inserted
        }
        return changes
    }

    /// Adds and removes keys in one pass, which writes each affected page once. A key in both lists
    /// stays.
    ///
    /// - Parameters:
    ///   - inserting: the keys to add, in any order.
    ///   - removing: the keys to remove, in any order.
    /// - Returns: The number of keys that were actually added and removed. A caller that expected
    ///   other numbers has an index that does not match its records.
    @discardableResult
    mutating func apply(inserting: [IndexKey], removing: [IndexKey]) throws -> Changes {
        let inserted = inserting.sorted()
        let removed = removing.sorted()
        var changes = Changes()
        if isEmpty {
            let keys = inserted.withoutRepetition
            try write(keys, in: 0..<0)
            changes.inserted = keys.count
            return changes
        }
        var additions = inserted[...]
        var removals = removed[...]
        // Proceeds from the last page to the first, so that splitting or merging does not move the
        // pages still to be changed.
        while let key = [additions.last, removals.last].compactMap(\.self).max() {
            let position = directory.position(of: key)
            let lower = directory.entries[position].lower
            let first = additions.firstPosition(from: lower)
            let second = removals.firstPosition(from: lower)
            try change(position, additions[first...], removals[second...], &changes)
            additions = additions[..<first]
            removals = removals[..<second]
        }
        return changes
    }

    /// Changes one page, then splits or merges it if its size is out of bounds.
    ///
    /// - Parameters:
    ///   - position: the position of the page in the directory.
    ///   - additions: the sorted keys to add, all of which belong to the page.
    ///   - removals: the sorted keys to remove, all of which belong to the page.
    ///   - changes: receives the numbers of added and removed keys.
    private mutating func change(
        _ position: Int, _ additions: ArraySlice<IndexKey>, _ removals: ArraySlice<IndexKey>,
        _ changes: inout Changes
    ) throws {
        let number = directory.entries[position].page
        let (delta, count) = try storage.update(number) { keys in
            let delta = keys.change(adding: additions, removing: removals)
            return (delta, keys.count)
        }
        changes.inserted += delta.inserted
        changes.removed += delta.removed
        if count > Self.capacity {
            try write(storage.page(number), in: position..<position + 1)
        } else if count < Self.minimum {
            try join(position)
        }
    }

    /// Merges a page that has become too small with the previous or the next page. Removes it if it
    /// is empty.
    ///
    /// A small page stays as it is if its keys fit into one new page with neither neighbor.
    private mutating func join(_ position: Int) throws {
        let keys = try storage.page(directory.entries[position].page)
        if keys.isEmpty { return try write([], in: position..<position + 1) }
        for other in [position - 1, position + 1]
        where directory.entries.indices.contains(other) {
            let neighbour = try storage.page(directory.entries[other].page)
            guard keys.count + neighbour.count <= Self.fill else { continue }
            let first = min(position, other)
            return try write(
                other < position ? neighbour + keys : keys + neighbour, in: first..<first + 2)
        }
    }

    /// Distributes keys evenly over new pages that replace a range of pages. Reuses the page
    /// numbers of the range.
    ///
    /// - Parameters:
    ///   - keys: the sorted keys; if there are none, the pages of the range are removed.
    ///   - range: the positions of the replaced pages in the directory; empty for an empty index.
    private mutating func write(_ keys: [IndexKey], in range: Range<Int>) throws {
        let count = (keys.count + Self.fill - 1) / Self.fill
        var free = directory.entries[range].map(\.page)[...]
        var entries: [IndexDirectory.Entry] = []
        for part in 0..<count {
            let page = keys[keys.count * part / count..<keys.count * (part + 1) / count]
            let number = free.popFirst() ?? directory.takePage()
            try storage.set(number, Array(page))
            // The first new page keeps the lower bound of the first page that it replaces.
            let lower = part == 0 ? range.first.map { directory.entries[$0].lower } : nil
            entries.append(
                IndexDirectory.Entry(lower: lower ?? page[page.startIndex], page: number))
        }
        for number in free { try storage.set(number, nil) }
        directory.replace(range, with: entries)
    }
}
