internal import RepositoryRuntime

extension SQLiteEntityStore {
    /// Stores a new entity.
    ///
    /// - Throws: `recordAlreadyExists`.
    public func create<E: Entity>(_ entity: E) async throws {
        try await write(.statement, id: entity.id) { try $0.create(entity) }
    }

    /// Replaces an entity. The statement that writes also compares the version.
    ///
    /// - Returns: the stored entity, with its new version.
    /// - Throws: `recordNotFound`, `versionConflict`.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await write(.statement, id: entity.id) { try $0.update(entity) }
    }

    /// Creates or replaces an entity, with a single upsert if the entity has no version.
    ///
    /// - Returns: the stored entity, with its new version.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await write(.statement, id: entity.id) { try $0.save(entity) }
    }

    /// Deletes an entity and applies the `onDelete` actions of references to it.
    ///
    /// - Throws: `recordNotFound`; `constraintViolated` if a `restrict` reference prevents it.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await write(.statement, id: id) { (writer: SQLiteRecordWriter<E>) in
            guard try writer.delete(id) else {
                throw CRUDRepositoryError.recordNotFound(
                    id: id.description, table: E.Mapper.table.name)
            }
        }
    }

    /// Stores new entities in one transaction.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        guard !entities.isEmpty else { return }
        try await write(.batch, broken: { try $0.missingReference(among: entities) }) {
            (writer: SQLiteRecordWriter<E>) in try writer.createAll(entities)
        }
    }

    /// Creates or replaces entities in one transaction.
    ///
    /// - Returns: the stored entities, with their new versions.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        guard !entities.isEmpty else { return [] }
        do {
            return try await write(.batch, broken: { try $0.missingReference(among: entities) }) {
                writer in try entities.map { try writer.save($0) }
            }
        } catch let error as CRUDRepositoryError
            where entities.count > 1 && error.isUniqueViolation
        {
            // The entities may exchange unique values.
            return try await write(.batch, broken: { try $0.missingReference(among: entities) }) {
                (writer: SQLiteRecordWriter<E>) in
                try writer.exchanging(entities, error) { try $0.save($1) }
            }
        }
    }

    /// Deletes entities in one transaction.
    ///
    /// - Returns: the number of deleted entities.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        guard !ids.isEmpty else { return 0 }
        return try await write(.batch, broken: { try $0.heldRecord(among: ids) }) {
            (writer: SQLiteRecordWriter<E>) in try writer.deleteAll(ids)
        }
    }

    /// Deletes all entities of a type in one statement.
    ///
    /// - Returns: the number of deleted entities.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await write(.statement) { (writer: SQLiteRecordWriter<E>) in
            try writer.deleteAll()
        }
    }
}
