public import Foundation

/// Operations on single entities and batches. Reads of cached documents run on the calling thread.
extension DocumentStore {
    /// Stores a new entity.
    ///
    /// - Throws: `recordAlreadyExists` if an entity with the id exists; `constraintViolated`.
    public func create<E: Entity>(_ entity: E) async throws {
        try await write { try $0.create(entity) }
    }

    /// Reads an entity.
    ///
    /// - Throws: `recordNotFound` if there is no such entity; `invalidRecord` if its document is
    ///   damaged.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try life.check()
        let table = E.Mapper.table.name
        let key = id.description
        var record: E?
        var data: Data?
        // A generic result type would require a metadata lookup for each read.
        func take(_ bytes: UnsafeRawBufferPointer?) throws -> Bool {
            guard let bytes else { return true }
            record = try coder.decodeInPlace(bytes, type, id: id)
            if record == nil { data = Data(bytes) }
            return true
        }
        let isKnown =
            if let plain {
                try plain.withCachedDocument(key, in: table, take)
            } else {
                try driver.withCachedDocument(key, in: table, take)
            }
        if isDescriptionChanged {
            try await reading.run { [self] in try requireReadable(E.Mapper.table) }
        }
        if let record { return record }
        if isKnown == nil {
            data = try await readingRecords(of: E.Mapper.table) { [driver] in
                try driver.get(key, in: table)
            }
        }
        guard let data else { throw CRUDRepositoryError.recordNotFound(id: key, table: table) }
        return try await coder.decode(data, type, id: id)
    }

    /// Replaces an entity, and returns the stored entity.
    ///
    /// - Throws: `recordNotFound`, `versionConflict` or `constraintViolated`.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await write { try $0.update(entity) }
    }

    /// Creates or replaces an entity, and returns the stored entity.
    ///
    /// - Throws: `versionConflict` or `constraintViolated`.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await write { try $0.save(entity) }
    }

    /// Deletes an entity.
    ///
    /// - Throws: `recordNotFound` if there is no such entity; `constraintViolated`.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        guard try await write({ try $0.delete(type, id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
    }

    /// Returns whether an entity with the id exists. Does not read its document, unless the driver
    /// has to.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try life.check()
        let table = E.Mapper.table.name
        let key = id.description
        let known =
            if let plain {
                try plain.containsCached(key, in: table)
            } else {
                try driver.containsCached(key, in: table)
            }
        if let known {
            if isDescriptionChanged {
                try await reading.run { [self] in try requireReadable(E.Mapper.table) }
            }
            return known
        }
        return try await readingRecords(of: E.Mapper.table) { [driver] in
            try driver.contains(key, in: table)
        }
    }

    /// Stores new entities atomically. The order of entities that refer to each other does not
    /// matter.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await write { write in for entity in entities { try write.create(entity) } }
    }

    /// Creates or replaces entities atomically, and returns the stored entities in the given order.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await write { write in try entities.map { try write.save($0) } }
    }

    /// Deletes the entities with the given ids atomically, ignores ids without an entity, and
    /// returns the number of deleted entities.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await write { try $0.deleteAll(type, ids) }
    }

    /// Deletes all entities of a type and returns their number.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await write { try $0.deleteAll(type) }
    }
}

extension DocumentStore: RecordChangingStore {
    /// Changes the entity with an id, in one write.
    ///
    /// - Returns: true.
    /// - Throws: `recordNotFound`; the error of the closure.
    package func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Bool {
        try await write { try $0.change(type, id, change) }
        return true
    }
}

extension DocumentStore {
    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await readingRecords(of: E.Mapper.table) { [driver, coder] in
            let storage = DocumentStorage<E>(driver, coder, staged: StagedChanges())
            return try storage.committedChunk(
                index, of: ExternalContent(id: id, content: content))
        }
    }
}
