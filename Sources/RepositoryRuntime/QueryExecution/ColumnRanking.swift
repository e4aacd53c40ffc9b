/// The first records of an order, selected from the leaves of a table in memory by their columns.
///
/// It does what ``RankedRows`` does, for records that arrive in id order, a leaf at a time. The sort
/// values of a record that may be among the results become a few words in one array.
///
/// The columns and records that it holds are values, which do not change with the table.
struct ColumnRanking {
    /// The records of a leaf with a candidate, and the columns of the fields of the order.
    private struct Leaf {
        let records: ContiguousArray<MemoryRecord>
        let columns: [RecordColumn]
    }

    /// A candidate.
    private struct Place {
        /// The position of its leaf. With ``index``, it gives the order of the ids.
        var leaf: Int32
        /// The index of the record in the leaf.
        let index: Int32
        /// The position of its first word.
        var words: Int
    }

    /// The order of the results.
    private let order: ColumnOrder
    /// The number of results wanted.
    private let capacity: Int
    /// The number of candidates at which they are sorted and cut. Sorting many at once costs fewer
    /// comparisons where each record comes before all earlier ones.
    private let limit: Int
    /// The leaves of the candidates, and possibly others.
    private var leaves: [Leaf] = []
    /// The candidates.
    private var places: [Place] = []
    /// The words of the candidates, one for each sort key.
    private var words: [SortWord] = []
    /// The last candidate that is still wanted; nil until the candidates were cut for the first
    /// time.
    private var cutoff: Place?

    /// Creates a selection without records.
    ///
    /// - Parameters:
    ///   - order: the order of the results.
    ///   - capacity: the number of results wanted, more than 0.
    init(_ order: ColumnOrder, capacity: Int) {
        self.order = order
        self.capacity = capacity
        let limit = capacity.multipliedReportingOverflow(by: 2)
        self.limit = limit.overflow ? .max : max(limit.partialValue, min(capacity + 192, 256))
    }

    /// Adds records of the next leaf.
    ///
    /// - Parameters:
    ///   - records: the records of the leaf.
    ///   - columns: their columns, with those of the fields of the order.
    ///   - bits: a bit for each record to add.
    mutating func add(
        _ records: ContiguousArray<MemoryRecord>, _ columns: RecordColumns, _ bits: UInt64
    ) {
        let columns = order.fields.map { columns[$0] }
        var bits = bitsBeforeCutoff(bits, in: columns)
        if bits == 0 { return }
        let leaf = Int32(leaves.count)
        leaves.append(Leaf(records: records, columns: columns))
        while bits != 0 {
            let index = bits.trailingZeroBitCount
            places.append(Place(leaf: leaf, index: Int32(index), words: words.count))
            for part in order.parts {
                words.append(
                    SortWord(columns[part.column][index], descending: part.descending))
            }
            bits &= bits - 1
        }
        if places.count >= limit { cut() }
    }

    /// Returns the bits of the records that come before the last candidate that is wanted.
    private func bitsBeforeCutoff(_ bits: UInt64, in columns: [RecordColumn]) -> UInt64 {
        guard let cutoff else { return bits }
        // A record that ties in every part has the larger id.
        var (found, tied) = (UInt64(0), bits)
        for part in order.parts where tied != 0 {
            let value = leaves[Int(cutoff.leaf)].columns[part.column][Int(cutoff.index)]
            let compared = columns[part.column].compare(
                tied, with: value, descending: part.descending)
            found |= compared.before
            tied = compared.equal
        }
        return found
    }

    /// Sorts the candidates.
    private mutating func sort() {
        let (leaves, parts) = (leaves, order.parts)
        words.withUnsafeBufferPointer { words in
            places.sort { one, two in
                for part in parts.indices {
                    let word = words[one.words + part]
                    var compared = word.compare(words[two.words + part])
                    if compared == 0, word.isBeginning(descending: parts[part].descending) {
                        compared = Self.compareTexts(one, two, parts[part], leaves)
                    }
                    if compared != 0 { return compared < 0 }
                }
                return (one.leaf, one.index) < (two.leaf, two.index)
            }
        }
    }

    /// Compares two strings that begin with the same bytes.
    private static func compareTexts(
        _ one: Place, _ two: Place, _ part: ColumnOrder.Part, _ leaves: [Leaf]
    ) -> Int {
        let value = leaves[Int(one.leaf)].columns[part.column][Int(one.index)]
        let other = leaves[Int(two.leaf)].columns[part.column][Int(two.index)]
        guard case .text(let text) = other else { return 0 }
        return part.descending ? -value.textOrder(text) : value.textOrder(text)
    }

    /// Drops the candidates that rank too low, with their words and leaves.
    private mutating func cut() {
        sort()
        places.removeLast(places.count - capacity)
        var keptWords: [SortWord] = []
        keptWords.reserveCapacity(limit * order.parts.count)
        for place in places.indices {
            let start = places[place].words
            places[place].words = keptWords.count
            keptWords += words[start..<start + order.parts.count]
        }
        words = keptWords
        releaseLeaves()
        cutoff = places.last
    }

    /// Releases the leaves without candidates.
    private mutating func releaseLeaves() {
        var kept: [Leaf] = []
        var numbers = Array(repeating: Int32(-1), count: leaves.count)
        for place in places { numbers[Int(place.leaf)] = 0 }
        for number in leaves.indices where numbers[number] == 0 {
            numbers[number] = Int32(kept.count)
            kept.append(leaves[number])
        }
        for place in places.indices { places[place].leaf = numbers[Int(places[place].leaf)] }
        leaves = kept
    }

    /// Maps the results, in order.
    ///
    /// - Parameters:
    ///   - skipped: the number of leading results to skip.
    ///   - body: receives a record and its values of the fields of the order.
    consuming func results<R>(
        dropping skipped: Int, _ body: (MemoryRecord, [StoredValue]) throws -> R
    ) rethrows -> [R] {
        sort()
        return try places.prefix(capacity).dropFirst(skipped).map { place in
            let (leaf, index) = (leaves[Int(place.leaf)], Int(place.index))
            return try body(leaf.records[index], leaf.columns.map { $0[index] })
        }
    }
}
