/// The first rows of an order, gathered in any order.
///
/// It holds twice as many as are wanted at most: when it is full, it is sorted and the rear half goes. That costs one
/// comparison for most of the rows that are too far back, and never more than n log k in all.
struct RankedRows<Payload> {
    private let capacity: Int
    private var rows: [(position: IndexKey, payload: Payload)] = []
    /// The last place that is still among the wanted ones; nil until there are more rows than wanted.
    private var cutoff: IndexKey?

    /// Makes an empty collection.
    ///
    /// - Parameter capacity: how many rows are wanted.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a row, unless it is too far back to be wanted.
    ///
    /// - Parameters:
    ///   - position: its place, unlike that of any other row.
    ///   - payload: what is kept of it.
    mutating func insert(_ position: IndexKey, _ payload: @autoclosure () throws -> Payload)
        rethrows
    {
        guard capacity > 0 else { return }
        if let cutoff, !(position < cutoff) { return }
        rows.append((position, try payload()))
        guard rows.count / 2 >= capacity else { return }
        sort()
        rows.removeLast(rows.count - capacity)
        cutoff = rows.last?.position
    }

    private mutating func sort() {
        rows.sort { $0.position < $1.position }
    }

    /// What is kept of the wanted rows, in order.
    ///
    /// - Parameter skipped: how many of the first are left out.
    consuming func result(dropping skipped: Int) -> [Payload] {
        sort()
        return rows.prefix(capacity).dropFirst(skipped).map(\.payload)
    }
}
