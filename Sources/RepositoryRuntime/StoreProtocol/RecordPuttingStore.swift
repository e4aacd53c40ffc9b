/// A transaction that stores records as they are given, for copies of records from other stores.
package protocol RecordPuttingStore: EntityStore {
    /// Creates or replaces records. Unlike `saveAll`, it keeps their versions, and does not compare
    /// them with the stored ones.
    ///
    /// Unique values hold at the end of the call, and references at the commit.
    func put<E: Entity>(_ entities: [E]) async throws
}

extension EntityStore {
    /// Creates or replaces records as they are given.
    ///
    /// - Throws: `unsupported` if the store cannot.
    package func putAll<E: Entity>(_ entities: [E]) async throws {
        // Wrappers of the store wrap its transactions, too.
        let putting = self as? any RecordPuttingStore ?? unwrapped as? any RecordPuttingStore
        guard let putting else {
            throw CRUDRepositoryError.unsupported("records with their versions", by: name)
        }
        try await putting.put(entities)
    }
}
