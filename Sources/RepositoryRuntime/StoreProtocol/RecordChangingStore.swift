/// A store that changes one record by its id in less time than all records that match a query.
package protocol RecordChangingStore: EntityStore {
    /// Changes the record with an id in one atomic step.
    ///
    /// - Parameters:
    ///   - type: the type of the entity.
    ///   - id: the id of the record.
    ///   - change: returns the new entity for the stored one. It leaves the version unchanged; the
    ///     store increases it. It may be called again if the step is retried.
    /// - Throws: `recordNotFound`; the error of the closure.
    func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws
}
