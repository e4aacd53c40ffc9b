/// The records that a store keeps in memory, in id order, a part after the other.
///
/// Others may write between two parts. A record is looked at where it lies and copied only where somebody asks for it.
struct KeptRecords<E: Entity> {
    /// How many nodes of the tree make a part.
    private static var nodeCount: Int { 8 }

    private let keeper: any RecordKeeper
    /// The key of the record that was looked at last.
    private var last: IndexKey?
    /// Whether there is no other part.
    private(set) var isAtEnd = false

    /// Starts after an id, or at the beginning.
    init(_ keeper: any RecordKeeper, after id: E.ID?) throws {
        self.keeper = keeper
        last = try id.map { try IndexKeyForm(ids: E.Mapper.table).key(ofID: $0.storedKey()) }
    }

    /// Gives the records of the next part to a body, until it answers false.
    ///
    /// - Parameter limit: how many they are at most.
    /// - Returns: how many the body was given.
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
}
