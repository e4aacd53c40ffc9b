/// A store that finds the documents in its tables that are copies of others.
package protocol CopyFindingStore: EntityStore {
    /// Returns the names of the documents in the table of a type that are copies of records, sorted.
    func copies<E: Entity>(of type: E.Type) async throws -> [String]
}
