/// The first rows of an order, gathered in any order.
///
/// It holds some more than are wanted, twice as many at most: when it is full, it is sorted and the rear part goes. That
/// costs one comparison for most of the rows that are too far back, and never more than n log k in all.
struct RankedRows<Payload> {
    /// A row's place in the order, and that of its payload.
    private typealias Place = (position: IndexKey, payload: Int)

    private let capacity: Int
    /// How many rows there are when they are sorted.
    private let limit: Int
    // Apart from the payloads, whose type is not known here, so that what is sorted are plain keys.
    private var places: [Place] = []
    private var payloads: [Payload] = []
    /// The last place that is still among the wanted ones; nil until there are more rows than wanted.
    private var cutoff: IndexKey?

    /// Makes an empty collection.
    ///
    /// - Parameter capacity: how many rows are wanted.
    init(capacity: Int) {
        self.capacity = capacity
        let double = capacity.multipliedReportingOverflow(by: 2)
        limit = double.overflow ? .max : max(double.partialValue, min(capacity + 64, 128))
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
        payloads.append(try payload())
        places.append((position, payloads.count - 1))
        guard places.count >= limit else { return }
        places.sort { $0.position < $1.position }
        places.removeLast(places.count - capacity)
        cutoff = places.last?.position
        payloads = places.map { payloads[$0.payload] }
        for place in places.indices { places[place].payload = place }
    }

    /// What is kept of the wanted rows, in order.
    ///
    /// - Parameter skipped: how many of the first are left out.
    consuming func result(dropping skipped: Int) -> [Payload] {
        places.sort { $0.position < $1.position }
        return places.prefix(capacity).dropFirst(skipped).map { payloads[$0.payload] }
    }
}
