/// Writes to tables with fields that the database computes (`computed: true`). Others do without
/// the reads.
extension RepositoryContext {
    /// Returns stored entities with the values that the database has computed.
    func computed<E: Entity>(_ entities: [E]) async throws -> [E] {
        guard !E.Mapper.table.onlyReadFields.isEmpty else { return entities }
        var stored: [E] = []
        for entity in entities { stored.append(try await computed(entity)) }
        return stored
    }

    /// Returns a stored entity with the values that the database has computed.
    ///
    /// A record that was removed in the meantime is returned as it was written.
    func computed<E: Entity>(_ entity: E) async throws -> E {
        guard !E.Mapper.table.onlyReadFields.isEmpty else { return entity }
        do {
            return loading(try await store.read(E.self, id: entity.id))
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return entity
        }
    }
}
