/// A consecutive part of the sorted ids of a table.
///
/// The number of ids is limited, so that the memory of a window is bounded regardless of the size
/// of the table.
struct IDWindow<ID: EntityIdentifier>: Sendable {
    /// The maximum number of ids in a window: 524,288.
    static var capacity: Int { 1 << 19 }

    /// The id before the first one; nil if the window starts with the first id of the table.
    private let start: ID?
    /// The ids, sorted.
    let ids: [ID]
    /// Whether the window contains the last id of the table.
    let reachesEnd: Bool

    /// Creates a window with the smallest ids after an id.
    ///
    /// The initializer keeps at most twice the capacity in memory: when that limit is reached, it
    /// sorts the ids and discards those beyond the capacity.
    ///
    /// - Parameters:
    ///   - start: The id before the first one; nil to start with the first id of the table.
    ///   - capacity: The maximum number of ids.
    ///   - visit: Passes all ids of the table to its body, in any order.
    init(
        after start: ID?, capacity: Int = Self.capacity,
        _ visit: ((ID) throws -> Void) throws -> Void
    ) rethrows {
        var ids: [ID] = []
        // No id after this one is needed.
        var end: ID?
        func shorten() {
            ids.sort()
            guard ids.count > capacity else { return }
            ids.removeSubrange(capacity...)
            end = ids.last
        }
        try visit { id in
            if let start, !(start < id) { return }
            if let end, !(id < end) { return }
            ids.append(id)
            if ids.count >= 2 * capacity { shorten() }
        }
        shorten()
        self.start = start
        self.ids = ids
        reachesEnd = end == nil
    }

    /// Whether the window contains the first ids of the table.
    var beginsTable: Bool { start == nil }

    /// Returns whether the window contains the successor of an id, or shows that there is none.
    func covers(after id: ID) -> Bool {
        if let start, id < start { return false }
        if reachesEnd { return true }
        return ids.last.map { id < $0 } ?? false
    }

    /// Returns the ids after an id, or all ids if it is nil.
    func ids(after id: ID?) -> ArraySlice<ID> {
        ids[(id.map { ids.firstIndex(after: $0) } ?? 0)...]
    }
}
