/// A store that keeps the records themselves in memory, so that a query can look at them there.
protocol RecordKeeper: Sendable {
    /// Gives the records of a table in id order to a body, while nobody writes.
    func withRecords<E: Entity>(
        of type: E.Type, _ body: (OrderedTree<MemoryRecord>) throws -> Void
    ) throws
}
