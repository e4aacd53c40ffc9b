/// A typed repository that reads the records of one entity.
///
/// The generator emits a struct that works with any store. The repository of an entity with
/// `readOnly: true`, such as a view of a database, conforms to this protocol alone, so that code
/// that would change its records does not compile. All others conform to ``EntityRepository``.
public protocol ReadableRepository<Model>: Sendable {
    /// The entity type.
    associatedtype Model: Entity
    /// The context that the repositories of a set share.
    var context: RepositoryContext { get }
    /// Creates a repository that uses a context.
    init(_ context: RepositoryContext)
}

extension ReadableRepository {
    /// Reads an entity. Throws `recordNotFound` if none is stored.
    public func read(_ id: Model.ID) async throws -> Model {
        if !context.isReady { try await context.open() }
        try EntityPreparation.check(id)
        let entity = try await context.store.read(Model.self, id: id)
        if Model.Mapper.deletion(of: entity) == nil || context.includesDeleted { return entity }
        throw CRUDRepositoryError.notFound(id, Model.self)
    }

    /// The same repository, which finds deleted records of entities with `softDelete` like others:
    /// in reads, queries, finders and updates, behind references and relations, and in loaders and
    /// observations.
    ///
    /// ```swift
    /// let deleted = try await books.includingDeleted.fetch(.where { $0.deletedAt != nil })
    /// ```
    /// For one query, ``Query/includingDeleted()`` does the same. A deleted record still cannot be
    /// deleted again.
    public var includingDeleted: Self {
        context.includesDeleted ? self : Self(RepositoryContext(context, includingDeleted: true))
    }

    /// Returns whether an entity with the id is stored.
    public func exists(_ id: Model.ID) async throws -> Bool {
        if !context.isReady { try await context.open() }
        try EntityPreparation.check(id)
        if context.hidesDeleted(Model.self) { return try await existsPresent(id) }
        return try await context.store.exists(Model.self, id: id)
    }

    /// Returns whether a record is stored under an id that is not deleted. An unreadable record
    /// counts as stored.
    func existsPresent(_ id: Model.ID) async throws -> Bool {
        do {
            return Model.Mapper.deletion(of: try await context.store.read(Model.self, id: id))
                == nil
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return false
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return true
        }
    }
}
