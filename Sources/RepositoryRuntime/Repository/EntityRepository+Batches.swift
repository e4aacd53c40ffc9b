extension EntityRepository {
    /// Creates entities, either all or none. Returns the stored entities in the given order.
    @discardableResult
    public func createAll(_ entities: [Model]) async throws -> [Model] {
        try await context.open()
        let prepared = try prepareAll(entities, .create)
        if Model.Mapper.table.assignsIDs, !prepared.isEmpty {
            return try await advancingIDs {
                try await $0.store.createAll(prepared)
                return prepared.map(context.loading)
            }
        }
        try await context.store.createAll(prepared)
        return Model.Mapper.table.externalFields.isEmpty
            ? try await context.computed(prepared) : prepared.map(context.loading)
    }

    /// Creates or replaces entities, either all or none. Returns the stored entities in the given
    /// order.
    @discardableResult
    public func saveAll(_ entities: [Model]) async throws -> [Model] {
        try await context.open()
        if Model.Mapper.table.creation == .kept, !context.keepsDates {
            return try await saveKeepingCreation(entities) { context, prepared in
                let stored = try await context.store.saveAll(prepared)
                try await Self(context).advanceIDs(past: stored)
                return try await context.computed(stored)
            }
        }
        let prepared = try prepareAll(entities, .update)
        if Model.Mapper.table.assignsIDs, !prepared.isEmpty {
            return try await advancingIDs { try await $0.store.saveAll(prepared) }
        }
        return try await context.computed(context.store.saveAll(prepared))
    }

    /// Deletes the entities with some ids, either all or none. Ids that are not stored are ignored.
    /// Returns the number of deleted entities.
    @discardableResult
    public func deleteAll(ids: [Model.ID]) async throws -> Int {
        try await context.open()
        for id in ids { try EntityPreparation.check(id) }
        return try await deleteStored(ids)
    }

    /// Deletes all entities. Returns their number.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await context.open()
        if Model.Mapper.table.deletionField != nil { return try await deleteAllSoftly() }
        return try await context.store.deleteAll(Model.self)
    }

    /// Prepares entities for a write with the same timestamps.
    private func prepareAll(
        _ entities: [Model], _ operation: WriteContext.Operation
    ) throws -> [Model] {
        let write = context.write(operation)
        let given = operation == .create ? stamped(entities, for: write) : entities
        return try EntityPreparation.prepareAll(given, for: write)
    }
}
