extension EntityRepository {
    /// Deletes every entity that is as a condition says, in one atomic step. See ``deleteAll(_:)``.
    @discardableResult
    public func deleteAll(where condition: (Model.Fields) -> Condition) async throws -> Int {
        try await deleteAll(.where(condition))
    }

    /// Deletes every entity that a query asks for, in one atomic step.
    ///
    /// References are kept as by ``deleteAll(ids:)``: entities that refer to each other may go together. Of the entities
    /// their ids are in memory at once, nothing else.
    /// - Returns: how many of them there were, without what their references took along.
    /// - Throws: and then nothing has changed: `constraintViolated` when others refer to one of them, `invalidQuery`,
    ///   `unsupported`.
    @discardableResult
    public func deleteAll(_ query: Query<Model>) async throws -> Int {
        try await context.open()
        try context.require(.updates, for: "deleteAll of a query")
        return try await context.transaction { context in
            let ids = try await Self(context).ids(query)
            return ids.isEmpty ? 0 : try await context.store.deleteAll(Model.self, ids: ids)
        }
    }

    /// Makes a set of entities the only ones that are as a condition says, in one atomic step: stored ones that are not in
    /// the set go, those of the set are saved.
    ///
    /// ```swift
    /// try await tracks.replace(where: { $0.playlistID == list.id }, with: newTracks)
    /// ```
    /// First the stored entities that match and whose ids are not in the set are deleted, then the set is saved in its
    /// order. An entity of the set that is stored already, whether it matched or not, is replaced as by ``save(_:)`` and
    /// not deleted before: who refers to it still does, and its version is compared, then increased by 1. Give
    /// it the version that was read; another one is `versionConflict`. A new one gets version 1.
    /// - Parameters:
    ///   - condition: which entities the set takes the place of.
    ///   - entities: the set. Each must be as the condition says once it is stored: otherwise the same call again
    ///     would not find what this one saved. Of several with one id the last stays.
    /// - Returns: what is stored, in the order given.
    /// - Throws: and then nothing has changed: `invalidQuery` for an entity that is not as the condition says,
    ///   `versionConflict`, `constraintViolated`, `invalidItem`, `unsupported`.
    @discardableResult
    public func replace(
        where condition: (Model.Fields) -> Condition, with entities: [Model]
    ) async throws -> [Model] {
        try await context.open()
        try context.require(.updates, for: "replace")
        let query = Query<Model>.where(condition)
        let evaluator = try QueryEvaluator(query)
        let write = context.write(.update)
        return try await context.transaction { context in
            let kept = Set(entities.map(\.id))
            let gone = try await Self(context).ids(query).filter { !kept.contains($0) }
            if !gone.isEmpty { _ = try await context.store.deleteAll(Model.self, ids: gone) }
            var stored: [Model] = []
            stored.reserveCapacity(entities.count)
            for part in entities.parts(of: RepositoryContext.batchSize) {
                let prepared = try EntityPreparation.prepareAll(part, for: write)
                let saved = try await context.store.saveAll(prepared)
                for entity in saved { try evaluator.require(entity) }
                stored += saved
            }
            return stored
        }
    }
}

extension RepositoryContext {
    /// How many entities are prepared and handed to the store at once.
    static var batchSize: Int { 1_000 }
}

extension Array {
    /// The elements in order, so many at a time.
    func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension QueryEvaluator {
    /// Refuses an entity that is not as the condition says.
    fileprivate func require<E: Entity>(_ entity: E) throws {
        guard try !matches(StoredValueEncoder.values(of: entity, E.Mapper.self)) else { return }
        var error = CRUDRepositoryError.invalidQuery(
            "The record '\(entity.id)' is not as the condition says whose records it is to replace.",
            table: E.Mapper.table.name)
        error.id = entity.id.description
        throw error
    }
}
