/// The smallest `capacity` rows of a sequence that arrives in any order (a top-k selection).
///
/// The collection holds up to twice the capacity, or up to 64 rows more than the capacity if that
/// is larger. When it is full, it is sorted and the rear part is dropped. After that, most rows
/// that rank too low cost one comparison. The total cost is O(n log k).
struct RankedRows<Payload> {
    /// The position of a row in the order, and the index of its payload.
    private typealias Place = (position: IndexKey, payload: Int)

    /// The number of rows wanted.
    private let capacity: Int
    /// The number of rows at which the collection is sorted and cut.
    private let limit: Int
    // Places are separate from payloads, whose type is generic here, so that sorting moves plain
    // keys.
    private var places: [Place] = []
    /// The payloads, in the order of insertion.
    private var payloads: [Payload] = []
    /// The last position that is still among the wanted ones; nil until the collection was cut for
    /// the first time.
    private var cutoff: IndexKey?

    /// Creates an empty collection.
    ///
    /// - Parameter capacity: the number of rows wanted.
    init(capacity: Int) {
        self.capacity = capacity
        let double = capacity.multipliedReportingOverflow(by: 2)
        limit = double.overflow ? .max : max(double.partialValue, min(capacity + 64, 128))
    }

    /// Inserts a row, unless it ranks after ``capacity`` other rows.
    ///
    /// - Parameters:
    ///   - position: the position of the row, which must be unique.
    ///   - payload: the value to return for the row. It is not evaluated for a row that is dropped
    ///     at once.
    mutating func insert(_ position: IndexKey, _ payload: @autoclosure () throws -> Payload)
        rethrows
    {
        guard capacity > 0 else { return }
        if let cutoff, !(position < cutoff) { return }
        add(position, try payload())
    }

    /// Inserts a row, unless it ranks after ``capacity`` other rows.
    ///
    /// - Parameters:
    ///   - values: the field values of the row, whose position must be unique.
    ///   - order: the order of the rows.
    ///   - writer: writes positions, in storage that is used again for each row.
    ///   - payload: the value to return for the row. It is not evaluated for a row that is dropped
    ///     at once.
    mutating func insert(
        _ values: [StoredValue], in order: RowOrder, using writer: inout IndexKeyWriter,
        _ payload: @autoclosure () throws -> Payload
    ) rethrows {
        guard capacity > 0,
            let position = order.key(of: values, before: cutoff, using: &writer)
        else { return }
        add(position, try payload())
    }

    /// Adds a row that ranks before the cutoff.
    private mutating func add(_ position: IndexKey, _ payload: Payload) {
        payloads.append(payload)
        places.append((position, payloads.count - 1))
        guard places.count >= limit else { return }
        places.sort { $0.position < $1.position }
        places.removeLast(places.count - capacity)
        cutoff = places.last?.position
        payloads = places.map { payloads[$0.payload] }
        for place in places.indices { places[place].payload = place }
    }

    /// Returns the payloads of the wanted rows, in order.
    ///
    /// - Parameter skipped: the number of leading rows to skip.
    consuming func result(dropping skipped: Int) -> [Payload] {
        places.sort { $0.position < $1.position }
        return places.prefix(capacity).dropFirst(skipped).map { payloads[$0.payload] }
    }
}
