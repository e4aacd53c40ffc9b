/// A cursor over the records that a store holds in memory, in id order, one part at a time.
///
/// Other tasks may write between two parts; the next part continues after the last key visited.
/// Records are examined in place, and copied only on request.
///
/// Each part visits a bounded number of records, so that a long query does not block writers for
/// its whole duration.
struct KeptRecords<E: Entity> {
    /// The number of tree nodes of up to 64 records in a part: the bound on the time for which a
    /// part blocks writers. Nodes whose columns are known take about an eighth of the time.
    private static var nodeCount: Int { 8 }

    /// The store that holds the records.
    private let keeper: any RecordKeeper
    /// The key of the record visited last; nil at the beginning.
    private var last: IndexKey?
    /// Whether all records were visited.
    private(set) var isAtEnd = false

    /// Creates a cursor that starts after an id, or at the beginning.
    init(_ keeper: any RecordKeeper, after id: E.ID?) throws {
        self.keeper = keeper
        last = try id.map { try IndexKeyForm(ids: E.Mapper.table).key(ofID: $0.storedKey()) }
    }

    /// Calls a body with each record of the next part, until it returns false.
    ///
    /// - Parameter limit: the maximum number of records.
    /// - Returns: the number of records for which the body was called.
    mutating func visitNext(
        limit: Int, _ body: (MemoryRecord) throws -> Bool
    ) throws -> Int {
        var range = IndexKeyRange.all
        if let last { range = range.after(last) }
        var (seen, nodes, isAtEnd, last) = (0, 0, true, last)
        try keeper.withRecords(of: E.self) { tree in
            try tree.ascend(range) { node, places in
                let records = node.values
                let end = places.lowerBound + min(places.count, limit - seen)
                for place in places.lowerBound..<end {
                    seen += 1
                    if try body(records[place]) { continue }
                    (isAtEnd, last) = (false, node.keys[place])
                    return false
                }
                last = node.keys[end - 1]
                nodes += 1
                isAtEnd = seen < limit && nodes < Self.nodeCount
                return isAtEnd
            }
        }
        (self.isAtEnd, self.last) = (isAtEnd, last)
        return seen
    }

    /// Calls a body with each record of the next part that a scan of columns finds, until it
    /// returns false.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records found.
    ///   - scan: the condition and the fields.
    ///   - body: receives the record, the columns of its leaf and its index there.
    /// - Returns: the number of records for which the body was called.
    mutating func visitNext(
        limit: Int, by scan: ColumnScan,
        _ body: (MemoryRecord, RecordColumns, Int) throws -> Bool
    ) throws -> Int {
        var found = 0
        try visitLeaves(by: scan) { records, columns, bits in
            var bits = bits
            while bits != 0 {
                let place = bits.trailingZeroBitCount
                bits &= bits - 1
                found += 1
                if try !body(records[place], columns, place) || found == limit { return place }
            }
            return nil
        }
        return found
    }

    /// Returns the number of records of the next part that a scan of columns finds.
    mutating func countNext(by scan: ColumnScan) throws -> Int {
        var found = 0
        try visitLeaves(by: scan) { _, _, bits in
            found += bits.nonzeroBitCount
            return nil
        }
        return found
    }

    /// Adds the records of the next part that a scan of columns finds to a selection.
    mutating func rankNext(by scan: ColumnScan, into ranking: inout ColumnRanking) throws {
        try visitLeaves(by: scan) { records, columns, bits in
            ranking.add(records, columns, bits)
            return nil
        }
    }

    /// Calls a body with each leaf of the next part.
    ///
    /// - Parameters:
    ///   - scan: the condition and the fields.
    ///   - body: receives the records of the leaf, their columns, and a bit for each record that
    ///     the scan finds. Returns the index of the record after which to stop; nil to go on.
    private mutating func visitLeaves(
        by scan: ColumnScan,
        _ body: (ContiguousArray<MemoryRecord>, RecordColumns, UInt64) throws -> Int?
    ) throws {
        var range = IndexKeyRange.all
        if let last { range = range.after(last) }
        var (work, isAtEnd, last) = (0, true, last)
        try keeper.withRecords(of: E.self) { tree in
            try tree.ascend(range) { node, places in
                let (columns, areNew) = try node.columns(scan.fields, E.self)
                let bits = scan.test(columns) & RecordColumns.bits(places)
                if bits != 0, let place = try body(node.values, columns, bits) {
                    (isAtEnd, last) = (false, node.keys[place])
                    return false
                }
                last = node.keys[places.upperBound - 1]
                work += areNew ? Self.nodeCount : 1
                isAtEnd = work < Self.nodeCount * Self.nodeCount
                return isAtEnd
            }
        }
        (self.isAtEnd, self.last) = (isAtEnd, last)
    }
}
