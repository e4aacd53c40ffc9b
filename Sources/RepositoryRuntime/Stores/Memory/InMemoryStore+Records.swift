public import Foundation

extension InMemoryStore {
    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws {
        try await write { try $0.create(entity) }
    }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        guard let entity = try withRecord(type, id: id, { $0.entity(type) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        return entity
    }

    /// Replaces an entity and returns the stored entity.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await write { try $0.update(entity) }
    }

    /// Creates or replaces an entity and returns the stored entity.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await write { try $0.save(entity) }
    }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        guard try await write({ try $0.delete(type, id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
    }

    /// Returns whether there is an entity with an id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try withRecord(type, id: id) { _ in true } ?? false
    }

    /// Stores new entities atomically.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await write { write in for entity in entities { try write.create(entity) } }
    }

    /// Creates or replaces entities atomically.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await write { write in try entities.map { try write.save($0) } }
    }

    /// Atomically deletes the entities with the given ids that exist. Returns their number.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await write { try $0.deleteAll(type, ids) }
    }

    /// Deletes all entities of a type. Returns their number.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await write { try $0.deleteAll(type) }
    }
}

extension InMemoryStore {
    /// Returns the number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try look(type) { try $0.storage.count() }
    }

    /// Returns all ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try look(type) { try $0.storage.sortedIDs() }
    }

    /// Returns up to `limit` entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try look(at: type) { table, _ in try table.page(after: id, limit: limit) }
    }

    /// Returns the records that the search index finds. The first search builds the index.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        try look(type) { try $0.search(query) }
    }

    /// Returns the first entities of an index scan, in its order.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        if let list = try foundList(ObjectIdentifier(type), scan, limit: limit) {
            // The cache of a table holds lists of its entities.
            return unsafeDowncast(list, to: FoundListOf<E>.self).entities
        }
        return try look(at: type) { table, forms in
            if let found = try table.lookUp(scan, limit: limit, forms) { return found }
            try scan.check(type, in: name)
            return try table.find(scan, limit: limit, forms)
        }
    }
}

extension InMemoryStore {
    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try look(type) {
            try $0.storage.committedChunk(index, of: ExternalContent(id: id, content: content))
        }
    }
}
