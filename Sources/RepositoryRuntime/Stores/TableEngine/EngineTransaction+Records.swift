internal import Foundation

/// Writes and reads of single records and batches. Each write is one step of the transaction: all
/// of it happens, or nothing.
extension EngineTransaction {
    func create<E: Entity>(_ entity: E) async throws {
        try await step { try $0.create(entity) }
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        guard let entity = try await look(type, { try $0.record(id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        return entity
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        try await step { try $0.update(entity) }
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        try await step { try $0.save(entity) }
    }

    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        guard try await step({ try $0.delete(type, id) }) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await look(type) { try $0.contains(id) }
    }

    func createAll<E: Entity>(_ entities: [E]) async throws {
        try await step { write in for entity in entities { try write.create(entity) } }
    }

    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await step { write in try entities.map { try write.save($0) } }
    }

    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await step { try $0.deleteAll(type, ids) }
    }

    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await step { try $0.deleteAll(type) }
    }
}

extension EngineTransaction: RecordPuttingStore {
    package func put<E: Entity>(_ entities: [E]) async throws {
        try await step { write in for entity in entities { try write.put(entity) } }
    }
}

/// Queries. They see the changes of the transaction.
extension EngineTransaction {
    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await look(type) { try $0.count() }
    }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await look(type) { try $0.ids(after: nil, limit: .max) }
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await look(type) { table in
            try table.ids(after: id, limit: limit).compactMap { try table.record($0) }
        }
    }

    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        try await look(type) { try $0.search(query) }
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        try scan.check(type, in: name)
        return try await look(type) { table in
            try table.ids(scan, limit: limit).compactMap { try table.record($0) }
        }
    }
}

/// External data, which is stored at once and removed again if the transaction is rolled back.
extension EngineTransaction {
    func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        try await look(type) {
            try $0.write(chunk, index, of: ExternalContent(id: id, content: content))
        }
    }

    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await look(type) {
            try $0.chunk(index, of: ExternalContent(id: id, content: content))
        }
    }
}
