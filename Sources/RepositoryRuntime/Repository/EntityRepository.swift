/// A typed repository of one entity. The generator emits a struct that works with any store.
///
/// What reads records is declared by ``ReadableRepository``. This protocol adds what changes them.
public protocol EntityRepository<Model>: ReadableRepository {}

extension EntityRepository {
    /// Creates a repository over a user's implementation of the four-method protocol. Each instance
    /// of it stores one entity.
    ///
    /// The operations create, read, update, delete, exists and save are supported. All others throw
    /// `unsupported`, and so does every operation on an entity with a version field.
    public init(_ repository: any CRUDRepository) {
        self.init(
            RepositoryContext(
                store: CRUDRepositoryStore(repository),
                schema: StoreSchema(Model.Mapper.table.entity, [Model.self])))
    }
}

extension EntityRepository {
    /// Creates an entity.
    ///
    /// - Returns: the stored entity, with timestamps, rounded values and its first version.
    /// - Throws: `recordAlreadyExists`, `invalidItem` or `constraintViolated`.
    @discardableResult
    public func create(_ entity: Model) async throws -> Model {
        try await context.open()
        let prepared = try prepare(entity, .create)
        if Model.Mapper.table.assignsIDs {
            return try await advancingIDs {
                try await $0.store.create(prepared)
                return [context.loading(prepared)]
            }[0]
        }
        try await context.store.create(prepared)
        return try await context.computed(context.loading(prepared))
    }

    /// Replaces an entity. Fields declared `onCreate: now` keep their stored values.
    ///
    /// - Returns: the stored entity, with timestamps, rounded values and its new version.
    /// - Throws: `recordNotFound`, `versionConflict`, `invalidItem` or `constraintViolated`.
    @discardableResult
    public func update(_ entity: Model) async throws -> Model {
        try await context.open()
        if Model.Mapper.table.readsBeforeUpdates { return try await updateStored(entity) }
        return try await context.computed(context.store.update(prepare(entity, .update)))
    }

    /// Creates an entity, or replaces the stored one with the same id.
    ///
    /// - Returns: the stored entity.
    /// - Throws: `versionConflict`, `invalidItem` or `constraintViolated`.
    @discardableResult
    public func save(_ entity: Model) async throws -> Model {
        try await context.open()
        if Model.Mapper.table.creation == .kept, !context.keepsDates {
            return try await saveKeepingCreation([entity]) { context, prepared in
                let stored = try await context.store.save(prepared[0])
                try await Self(context).advanceIDs(past: [stored])
                return try await context.computed([stored])
            }[0]
        }
        let prepared = try prepare(entity, .update)
        if Model.Mapper.table.assignsIDs {
            return try await advancingIDs { [try await $0.store.save(prepared)] }[0]
        }
        return try await context.computed(context.store.save(prepared))
    }

    /// Deletes an entity. Throws `recordNotFound` if none is stored, and `constraintViolated` if
    /// other records refer to it.
    ///
    /// If the entity has `softDelete`, the record stays stored: it is updated with the time of the
    /// deletion, and records that refer to it stay as they are. See ``SoftDeletingRepository``.
    public func delete(_ id: Model.ID) async throws {
        try await context.open()
        try EntityPreparation.check(id)
        if Model.Mapper.table.deletionField != nil { return try await deleteSoftly(id) }
        try await context.store.delete(Model.self, id: id)
    }

    /// Prepares an entity for a write.
    func prepare(_ entity: Model, _ operation: WriteContext.Operation) throws -> Model {
        let write = context.write(operation)
        guard operation == .create, Model.Mapper.table.creation != .none else {
            return try EntityPreparation.prepare(entity, for: write)
        }
        return try EntityPreparation.prepare(entity.created(from: nil, for: write), for: write)
    }
}
