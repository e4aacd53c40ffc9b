/// Some of the ids of a table, in their order and without a gap: as many as memory is spent on, however many there are.
struct IDWindow<ID: EntityIdentifier>: Sendable {
    /// The most ids of a window.
    static var capacity: Int { 1 << 19 }

    /// The id behind which it begins; nil for the beginning of the table.
    private let start: ID?
    /// The ids, in their order.
    let ids: [ID]
    /// Whether no id comes after them.
    let reachesEnd: Bool

    /// Takes the first of those ids that come after one.
    ///
    /// - Parameters:
    ///   - capacity: how many are taken at most.
    ///   - visit: gives all ids to its body, in any order.
    init(
        after start: ID?, capacity: Int = Self.capacity,
        _ visit: ((ID) throws -> Void) throws -> Void
    ) rethrows {
        var ids: [ID] = []
        // Behind it nothing is wanted any more.
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

    /// Whether it holds the first ids of the table.
    var beginsTable: Bool { start == nil }

    /// Whether the ids after one, the next of them at least, are in it.
    func covers(after id: ID) -> Bool {
        if let start, id < start { return false }
        if reachesEnd { return true }
        return ids.last.map { id < $0 } ?? false
    }

    /// Those that come after one; all where it is nil.
    func ids(after id: ID?) -> ArraySlice<ID> {
        ids[(id.map { ids.firstIndex(after: $0) } ?? 0)...]
    }
}
