extension EntityStore {
    /// Reads a record; nil if it is not there.
    package func readIfThere<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        do {
            return try await read(type, id: id)
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return nil
        }
    }
}
