/// A store that holds its records in memory, so that a query can examine them in place.
protocol RecordKeeper: Sendable {
    /// Calls a body with the records of a table, in id order. Writers are blocked during the call,
    /// so the body should be short.
    func withRecords<E: Entity>(
        of type: E.Type, _ body: (OrderedTree<MemoryRecord>) throws -> Void
    ) throws
}
