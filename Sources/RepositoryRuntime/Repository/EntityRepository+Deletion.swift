internal import Foundation

/// Deletion where deleted records stay stored (`softDelete`). Other entities do without all of it.
extension EntityRepository {
    /// Sets the time of the deletion of a record.
    ///
    /// Stores that implement the four-method protocol read and write in two steps.
    ///
    /// - Throws: `recordNotFound` if the record is deleted already, and the errors of `update`.
    func deleteSoftly(_ id: Model.ID) async throws {
        let write = context.write(.update)
        guard context.store.capabilities.has(.updates) else {
            let stored = try await context.store.read(Model.self, id: id)
            guard Model.Mapper.deletion(of: stored) == nil else {
                throw CRUDRepositoryError.notFound(id, Model.self)
            }
            let deleted = try EntityPreparation.prepare(
                stored.deleted(write.now), for: write)
            _ = try await context.store.update(deleted)
            return
        }
        _ = try await changeStored(id, deleted: false) { stored in
            try EntityPreparation.prepare(stored.deleted(write.now), for: write)
        }
    }

    /// Deletes the records with some ids that are stored, and not deleted, as the entity declares:
    /// from the store, or by the time of the deletion. Returns their number.
    func deleteStored(_ ids: [Model.ID]) async throws -> Int {
        guard Model.Mapper.table.deletionField != nil else {
            return try await context.store.deleteAll(Model.self, ids: ids)
        }
        return try await setDeletion(of: ids, to: context.write(.update).now, on: context)
    }

    /// Deletes all records that are not deleted, by the time of the deletion. Returns their number.
    func deleteAllSoftly() async throws -> Int {
        try context.require(.updates, for: "deleting all records with 'softDelete'")
        let write = context.write(.update)
        return try await Self.setDeletion(
            to: write.now, for: write, of: Query<Model>.all.hidingDeleted, in: context)
    }

    /// Deletes or restores the records with some ids, in one transaction. Returns the number of
    /// those that were not in that state before.
    ///
    /// - Parameter deletion: the time of the deletion; nil to restore the records.
    func setDeletion(
        of ids: [Model.ID], to deletion: Date?, on context: RepositoryContext
    ) async throws -> Int {
        try context.require(.updates, for: "deleting several records with 'softDelete'")
        let write = context.write(.update)
        let chunks = Array(Set(ids)).sorted().chunks(ofAtMost: KeyChunk.size(of: Model.ID.self))
        func set(_ chunk: some Collection<Model.ID>, in context: RepositoryContext) async throws
            -> Int
        {
            let id = QueryField<Model, Model.ID>(key: Model.Mapper.table.key)
            let query = Query<Model>(id.in(Array(chunk)), sortKeys: [])
            return try await Self.setDeletion(
                to: deletion, for: write,
                of: deletion == nil ? query.onlyDeleted : query.hidingDeleted, in: context)
        }
        if chunks.count <= 1 {
            guard let chunk = chunks.first else { return 0 }
            return try await set(chunk, in: context)
        }
        return try await context.transaction { context in
            var count = 0
            for chunk in chunks { count += try await set(chunk, in: context) }
            return count
        }
    }

    /// Sets the time of the deletion of the records that a query selects. Returns their number.
    private static func setDeletion(
        to deletion: Date?, for write: WriteContext, of query: Query<Model>,
        in context: RepositoryContext
    ) async throws -> Int {
        let rules = TableRules(Model.Mapper.table)
        return try await context.store.updateAll(query) { stored in
            try EntityPreparation.prepare(stored.deleted(deletion), for: write, rules)
        }
    }
}

extension Entity {
    /// The entity with the time of its deletion; nil if it is not deleted.
    func deleted(_ deletion: Date?) -> Self {
        var copy = self
        Mapper.setDeletion(deletion, of: &copy)
        return copy
    }
}

extension Query {
    /// The query for the deleted records that satisfy its condition, which names no related
    /// records.
    var onlyDeleted: Self {
        guard let path = Model.deletionPath else { return with(.constant(false)) }
        return with(
            ConditionJoining(isAll: true).join(.not(.isPresent(path)), condition.tree)
        ).includingDeleted()
    }
}
