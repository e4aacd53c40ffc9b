/// Adapts a user's implementation of ``CRUDRepository`` to a store of one entity.
///
/// Only the operations on single records are supported. Validation, timestamps and ids are handled
/// by ``EntityRepository`` as for any store.
struct CRUDRepositoryStore: EntityStore {
    let repository: any CRUDRepository
    let changes = StoreChanges()

    init(_ repository: any CRUDRepository) {
        self.repository = repository
    }

    var name: String { "\(type(of: repository))" }

    var capabilities: StoreCapabilities {
        StoreCapabilities([
            .records: .emulated(cost: "exists reads; save reads, then writes, in two steps"),
            // The repository's format is unknown. Most formats support both.
            .fractionalSeconds: .native, .controlCharacters: .native,
        ])
    }

    func open(_ schema: StoreSchema) async throws {
        for table in schema.tables where table.versionField != nil {
            throw CRUDRepositoryError.unsupported("versions, which \(table.entity) has", by: name)
        }
        for table in schema.tables where table.hasEncryptedFields {
            throw CRUDRepositoryError.unsupported(
                "encrypted fields, which \(table.entity) has", by: name)
        }
    }

    func create<E: Entity>(_ entity: E) async throws {
        try Task.checkCancellation()
        try await repository.create(id: entity.id.description, item: entity)
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await repository.read(id: id.description)
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        try Task.checkCancellation()
        try await repository.update(id: entity.id.description, item: entity)
        return entity
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        // Between a failed update and the create, another task may create the record and delete it
        // again.
        while true {
            try Task.checkCancellation()
            do {
                return try await update(entity)
            } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
                do {
                    try await create(entity)
                    return entity
                } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
                    continue
                }
            }
        }
    }

    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try Task.checkCancellation()
        try await repository.delete(id: id.description)
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        do {
            let _: E = try await repository.read(id: id.description)
            return true
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return false
        }
    }
}

extension CRUDRepositoryStore {
    func createAll<E: Entity>(_ entities: [E]) async throws { throw unsupported("batches") }
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] { throw unsupported("batches") }
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        throw unsupported("batches")
    }
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int { throw unsupported("batches") }
    func count<E: Entity>(_ type: E.Type) async throws -> Int { throw unsupported("listing") }
    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] { throw unsupported("listing") }
    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        throw unsupported("listing")
    }
    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        throw unsupported("finders")
    }
    func reset(_ schema: StoreSchema) async throws { throw unsupported("reset") }

    /// The error for an operation that the four methods cannot implement.
    private func unsupported(_ what: String) -> CRUDRepositoryError {
        .unsupported(what, by: name)
    }
}
