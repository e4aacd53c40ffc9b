extension EntityRepository {
    /// Stores new entities, all or none; returns what is stored, in the order given.
    @discardableResult
    public func createAll(_ entities: [Model]) async throws -> [Model] {
        try await context.open()
        let prepared = try prepareAll(entities, .create)
        try await context.store.createAll(prepared)
        return prepared
    }

    /// Creates or replaces entities, all or none; returns what is stored, in the order given.
    @discardableResult
    public func saveAll(_ entities: [Model]) async throws -> [Model] {
        try await context.open()
        return try await context.store.saveAll(prepareAll(entities, .update))
    }

    /// Deletes those of the ids that are there, all or none; returns how many were.
    @discardableResult
    public func deleteAll(ids: [Model.ID]) async throws -> Int {
        try await context.open()
        for id in ids { try EntityPreparation.check(id) }
        return try await context.store.deleteAll(Model.self, ids: ids)
    }

    /// Deletes all entities; returns how many there were.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await context.open()
        return try await context.store.deleteAll(Model.self)
    }

    private func prepareAll(
        _ entities: [Model], _ operation: WriteContext.Operation
    ) throws -> [Model] {
        try EntityPreparation.prepareAll(entities, for: context.write(operation))
    }
}
