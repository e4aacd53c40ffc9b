/// A repository whose entity declares `softDelete:`, the date that marks deleted records.
///
/// Deleting a record is an update that sets the date. Reads, queries, finders, relations,
/// references, searches and observations then leave the record out, unless
/// ``ReadableRepository/includingDeleted`` or ``Query/includingDeleted()`` asks for it. Records that
/// refer to it stay as they are.
///
/// ```swift
/// try await library.books.delete(isbn)             // stays stored
/// let book = try await library.books.restore(isbn)
/// try await library.books.purgeAll(where: { $0.deletedAt < lastYear })
/// ```
public protocol SoftDeletingRepository<Model>: EntityRepository {}

extension SoftDeletingRepository {
    /// Restores a deleted entity: an update that sets the date of its deletion to null.
    ///
    /// - Returns: the stored entity.
    /// - Throws: `recordNotFound` if no deleted entity has the id, `constraintViolated` if a unique
    ///   index covers only entities that are not deleted and another one has its values, and the
    ///   other errors of `update`.
    @discardableResult
    public func restore(_ id: Model.ID) async throws -> Model {
        try await context.open()
        try context.require(.updates, for: "restore")
        try EntityPreparation.check(id)
        let write = context.write(.update)
        return try await changeStored(id, deleted: true) { stored in
            try EntityPreparation.prepare(stored.deleted(nil), for: write)
        }
    }

    /// Restores the deleted entities with some ids, either all or none. Other ids are ignored.
    /// Returns the number of restored entities.
    ///
    /// - Throws: the errors of ``restore(_:)``, except for `recordNotFound`.
    @discardableResult
    public func restoreAll(ids: [Model.ID]) async throws -> Int {
        try await context.open()
        for id in ids { try EntityPreparation.check(id) }
        return try await setDeletion(of: ids, to: nil, on: context)
    }

    /// Restores every deleted entity that satisfies a condition, atomically. Returns their number.
    ///
    /// - Throws: the errors of ``restore(_:)``, except for `recordNotFound`, and `invalidQuery`.
    @discardableResult
    public func restoreAll(where condition: (Model.Fields) -> Condition) async throws -> Int {
        let query = Query<Model>.where(condition)
        try await context.open()
        try context.require(.updates, for: "restoreAll of a query")
        return try await context.transaction { context in
            let ids = try await Self(context).includingDeleted.ids(query)
            return try await Self(context).setDeletion(of: ids, to: nil, on: context)
        }
    }

    /// Removes an entity from the store, whether it is deleted or not, and applies the delete rules
    /// of the references to it.
    ///
    /// - Throws: `recordNotFound` if none is stored, and `constraintViolated` if other records
    ///   refer to it.
    public func purge(_ id: Model.ID) async throws {
        try await context.open()
        try EntityPreparation.check(id)
        try await context.store.delete(Model.self, id: id)
    }

    /// Removes the entities with some ids from the store, either all or none, whether they are
    /// deleted or not. Ids that are not stored are ignored. Returns the number of removed entities.
    ///
    /// - Throws: `constraintViolated` if another record refers to one of them.
    @discardableResult
    public func purgeAll(ids: [Model.ID]) async throws -> Int {
        try await context.open()
        for id in ids { try EntityPreparation.check(id) }
        return try await context.store.deleteAll(Model.self, ids: ids)
    }

    /// Removes every entity that satisfies a condition from the store, atomically, whether it is
    /// deleted or not. Returns the number of removed entities, without those that a cascade
    /// deletes.
    ///
    /// - Throws: `constraintViolated` if another record refers to one of them, `invalidQuery` or
    ///   `unsupported`. Nothing is removed if an error is thrown.
    @discardableResult
    public func purgeAll(where condition: (Model.Fields) -> Condition) async throws -> Int {
        let query = Query<Model>.where(condition)
        try await context.open()
        try context.require(.updates, for: "purgeAll of a query")
        return try await context.transaction { context in
            let ids = try await Self(context).includingDeleted.ids(query)
            return ids.isEmpty ? 0 : try await context.store.deleteAll(Model.self, ids: ids)
        }
    }
}
