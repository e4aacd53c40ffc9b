/// A store that changes one record by its id in less time than all records that match a query.
package protocol RecordChangingStore: EntityStore {
    /// Changes the record with an id in one atomic step.
    ///
    /// - Parameters:
    ///   - type: the type of the entity.
    ///   - id: the id of the record.
    ///   - change: returns the new entity for the stored one. It leaves the version unchanged; the
    ///     store increases it. It may be called again if the step is retried.
    /// - Returns: whether the store has done so; false if it wraps another one that cannot.
    /// - Throws: `recordNotFound`; the error of the closure.
    func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Bool
}

extension EntityStoreWrapper where Self: RecordChangingStore {
    /// Changes the record in the wrapped store, if it can.
    package func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Bool {
        guard let changing = store as? any RecordChangingStore else { return false }
        return try await changing.change(type, id: id, change)
    }
}
