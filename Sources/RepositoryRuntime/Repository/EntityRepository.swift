/// A typed repository of one entity. Generated as a struct that names no store.
public protocol EntityRepository<Model>: Sendable {
    /// The entity it holds.
    associatedtype Model: Entity
    /// What it shares with the other repositories of its set.
    var context: RepositoryContext { get }
    /// Makes the repository over a context.
    init(_ context: RepositoryContext)
}

extension EntityRepository {
    /// Makes the repository over somebody's own four-method repository; one instance of it is one table.
    ///
    /// It offers create, read, update, delete, exists and save. Everything else, and every entity with a version field,
    /// throws `unsupported`.
    public init(_ repository: any CRUDRepository) {
        self.init(
            RepositoryContext(
                store: CRUDRepositoryStore(repository),
                schema: StoreSchema(Model.Mapper.table.entity, [Model.self])))
    }
}

extension EntityRepository {
    /// Stores a new entity.
    ///
    /// - Returns: what is stored: stamped, rounded, with its first version.
    /// - Throws: `recordAlreadyExists`, `invalidItem`, `constraintViolated`.
    @discardableResult
    public func create(_ entity: Model) async throws -> Model {
        try await context.open()
        let prepared = try prepare(entity, .create)
        try await context.store.create(prepared)
        return prepared
    }

    /// Reads an entity; throws `recordNotFound` when there is none.
    public func read(_ id: Model.ID) async throws -> Model {
        if !context.isReady { try await context.open() }
        try EntityPreparation.check(id)
        return try await context.store.read(Model.self, id: id)
    }

    /// Replaces an entity.
    ///
    /// - Returns: what is stored: stamped, rounded, with its new version.
    /// - Throws: `recordNotFound`, `versionConflict`, `invalidItem`, `constraintViolated`.
    @discardableResult
    public func update(_ entity: Model) async throws -> Model {
        try await context.open()
        return try await context.store.update(prepare(entity, .update))
    }

    /// Creates an entity, or replaces the one of its id.
    ///
    /// - Returns: what is stored.
    /// - Throws: `versionConflict`, `invalidItem`, `constraintViolated`.
    @discardableResult
    public func save(_ entity: Model) async throws -> Model {
        try await context.open()
        return try await context.store.save(prepare(entity, .update))
    }

    /// Deletes an entity; throws `recordNotFound` when there is none, `constraintViolated` when others refer to it.
    public func delete(_ id: Model.ID) async throws {
        try await context.open()
        try EntityPreparation.check(id)
        try await context.store.delete(Model.self, id: id)
    }

    /// Whether there is an entity of this id.
    public func exists(_ id: Model.ID) async throws -> Bool {
        if !context.isReady { try await context.open() }
        try EntityPreparation.check(id)
        return try await context.store.exists(Model.self, id: id)
    }

    /// What is to be stored for an entity.
    func prepare(_ entity: Model, _ operation: WriteContext.Operation) throws -> Model {
        try EntityPreparation.prepare(entity, for: context.write(operation))
    }
}
