/// The keys of an index in pages, found by a directory: an ordered set of which only those pages are read that a look-up
/// needs, and only those written that a change touches.
///
/// A value: copies do not see each other's changes, as far as the storage is one.
struct IndexPages<Storage: IndexPageStorage> {
    /// The most keys of a page.
    static var capacity: Int { 256 }
    /// How many keys a page has when it is new.
    static var fill: Int { 192 }
    /// A page with fewer keys is joined with its neighbour where the two fit.
    static var minimum: Int { 48 }

    private(set) var directory: IndexDirectory
    private(set) var storage: Storage

    /// Takes pages as they are; an empty directory makes an empty index.
    init(_ storage: Storage, _ directory: IndexDirectory = IndexDirectory()) {
        self.storage = storage
        self.directory = directory
    }

    /// Makes pages of keys.
    ///
    /// - Parameter sorted: the keys, in order, none twice.
    init(_ storage: Storage, sorted: [IndexKey]) throws {
        self.init(storage)
        try write(sorted, in: 0..<0)
    }

    /// Whether there is no key.
    var isEmpty: Bool { directory.entries.isEmpty }

    /// Takes the storage as it is after others have changed it.
    mutating func withStorage<R>(_ body: (inout Storage) throws -> R) rethrows -> R {
        try body(&storage)
    }
}

extension IndexPages: Sendable where Storage: Sendable {}

extension IndexPages where Storage == MemoryIndexPages {
    /// Makes an empty index in memory.
    init() { self.init(MemoryIndexPages()) }
}

extension IndexPages {
    /// How many keys have really come and gone.
    struct Changes: Equatable {
        /// How many were added that were not there.
        var inserted = 0
        /// How many were taken away that were there.
        var removed = 0
    }

    /// Adds and removes a key each at most; a key that is both stays.
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

    /// Adds and removes keys in one pass, in which each page is written once; a key that is in both stays.
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
        // From the back, so that the positions of pages that are still to be changed stay as they are.
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

    /// Joins a page that has become small with the one before or behind it; an empty one goes.
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

    /// Writes keys to pages of their own, in the place of some that held them.
    private mutating func write(_ keys: [IndexKey], in range: Range<Int>) throws {
        let count = (keys.count + Self.fill - 1) / Self.fill
        var free = directory.entries[range].map(\.page)[...]
        var entries: [IndexDirectory.Entry] = []
        for part in 0..<count {
            let page = keys[keys.count * part / count..<keys.count * (part + 1) / count]
            let number = free.popFirst() ?? directory.takePage()
            try storage.set(number, Array(page))
            // The page takes over the place of the first that it replaces.
            let lower = part == 0 ? range.first.map { directory.entries[$0].lower } : nil
            entries.append(
                IndexDirectory.Entry(lower: lower ?? page[page.startIndex], page: number))
        }
        for number in free { try storage.set(number, nil) }
        directory.replace(range, with: entries)
    }
}
