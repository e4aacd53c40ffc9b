internal import Synchronization

extension InMemoryStore {
    /// Stores a new entity.
    public func create<E: Entity>(_ entity: E) async throws {
        try write { try $0.create(entity) }
    }

    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        guard let entity = try look(type, { try $0.storage.record(id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        return entity
    }

    /// Replaces an entity and returns what is stored.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try write { try $0.update(entity) }
    }

    /// Creates or replaces an entity and returns what is stored.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try write { try $0.save(entity) }
    }

    /// Deletes an entity.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        guard try write({ try $0.delete(type, id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
    }

    /// Whether there is an entity of this id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try look(type) { try $0.storage.contains(id) }
    }

    /// Stores new entities, all or none.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try write { write in for entity in entities { try write.create(entity) } }
    }

    /// Creates or replaces entities, all or none.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try write { write in try entities.map { try write.save($0) } }
    }

    /// Deletes those of the ids that are there, all or none.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try write { try $0.deleteAll(type, ids) }
    }

    /// Deletes all entities of a type.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try write { try $0.deleteAll(type) }
    }
}

extension InMemoryStore {
    /// The number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try look(type) { try $0.storage.count() }
    }

    /// All ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try look(type) { try sortedIDs($0) }
    }

    /// The entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try look(type) { table in
            let ids = try sortedIDs(table)
            let start = id.map { ids.firstIndex(after: $0) } ?? 0
            return try ids[start...].prefix(limit).compactMap { try table.storage.record($0) }
        }
    }

    /// The entities whose leading fields of an index have these values.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        let (index, values) = (scan.index, scan.equal)
        let finding = try IndexFinding<E>(index, values, in: name)
        let found: [E] = try tables.withLock { tables in
            try tables.look {
                let table = try tables.table(type)
                return try table.ids(index: index, values: values)
                    .compactMap { try table.storage.record($0) }
            }
        }
        return try finding.sorted(found, areCurrent: true)
    }

    private func sortedIDs<E: Entity>(_ table: StoreTable<E>) throws -> [E.ID] {
        if let storage = table.storage as? MemoryStorage<E> { return storage.sortedIDs() }
        return try table.storage.ids().sorted()
    }
}
