extension EntityRepository {
    /// Deletes every entity that satisfies a condition, atomically. See ``deleteAll(_:)``.
    @discardableResult
    public func deleteAll(where condition: (Model.Fields) -> Condition) async throws -> Int {
        try await deleteAll(.where(condition))
    }

    /// Deletes every entity that a query selects, atomically.
    ///
    /// References are enforced as by ``deleteAll(ids:)``: entities that refer to each other can be
    /// deleted together. The ids of the entities are held in memory.
    ///
    /// - Returns: the number of selected entities, without those deleted by a cascade.
    /// - Throws: `constraintViolated` if another entity refers to one of them, `invalidQuery` or
    ///   `unsupported`. Nothing is deleted if an error is thrown.
    @discardableResult
    public func deleteAll(_ query: Query<Model>) async throws -> Int {
        try await context.open()
        try context.require(.updates, for: "deleteAll of a query")
        return try await context.transaction { context in
            let ids = try await Self(context).ids(query)
            return ids.isEmpty ? 0 : try await Self(context).deleteStored(ids)
        }
    }

    /// Replaces the entities that satisfy a condition by others, atomically.
    ///
    /// ```swift
    /// try await tracks.replace(where: { $0.playlistID == list.id }, with: newTracks)
    /// ```
    /// The stored entities that match and whose ids do not occur in `entities` are deleted. Then
    /// `entities` are saved in order.
    ///
    /// An entity that is already stored is updated as by ``save(_:)``, whether or not it matched.
    /// It is not deleted in between, so references to it remain. Its version is compared and
    /// incremented: pass the version that was read. A new entity gets version 1.
    ///
    /// - Parameters:
    ///   - condition: selects the entities to replace.
    ///   - entities: the new entities. Each must satisfy the condition once it is stored; otherwise
    /// a second call would not find what the first one saved. If several have the same id, the last
    /// one is stored.
    /// - Returns: the stored entities, in the given order.
    /// - Throws: `invalidQuery` for an entity that does not satisfy the condition,
    ///   `versionConflict`, `constraintViolated`, `invalidItem` or `unsupported`. Nothing changes
    ///   if an error is thrown.
    @discardableResult
    public func replace(
        where condition: (Model.Fields) -> Condition, with entities: [Model]
    ) async throws -> [Model] {
        try await context.open()
        try context.require(.updates, for: "replace")
        let query = context.scoped(Query<Model>.where(condition))
        _ = try QueryEvaluator(query)
        let isKept = Model.Mapper.table.creation == .kept
        let given =
            isKept
            ? nil : try EntityPreparation.prepareAll(entities, for: context.write(.update))
        return try await context.transaction { context in
            // Records are read before some of them are deleted.
            let prepared =
                if let given { given } else { try await Self(context).prepared(entities) }
            let kept = Set(entities.map(\.id))
            let evaluator = try await QueryEvaluator(context.resolved(query, in: context.store))
            let gone = try await Self(context).ids(query).filter { !kept.contains($0) }
            if !gone.isEmpty { _ = try await Self(context).deleteStored(gone) }
            // One call, because unique values are checked at its end.
            let stored = try await context.computed(context.store.saveAll(prepared))
            for entity in stored { try evaluator.require(entity) }
            try await Self(context).advanceIDs(past: stored)
            return stored
        }
    }
}

extension RepositoryContext {
    /// How many entities are prepared and passed to the store at once.
    static var batchSize: Int { 1_000 }
}

extension Array {
    /// The elements in order, in slices of at most `size` elements.
    func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension QueryEvaluator {
    /// Throws `invalidQuery` if an entity does not satisfy the condition.
    fileprivate func require<E: Entity>(_ entity: E) throws {
        guard try !matches(StoredValueEncoder.values(of: entity, E.Mapper.self)) else { return }
        var error = CRUDRepositoryError.invalidQuery(
            "The record '\(entity.id)' does not satisfy the condition of the records it replaces.",
            table: E.Mapper.table.name)
        error.id = entity.id.description
        throw error
    }
}
