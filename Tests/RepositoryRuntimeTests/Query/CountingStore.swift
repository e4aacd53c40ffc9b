import RepositoryRuntime
import Synchronization

/// A store in memory that counts the records it gives out.
final class CountingStore: EntityStore {
    private let store: any EntityStore
    var changes: StoreChanges { store.changes }
    private let counter = Mutex(0)
    private let extent: StoreCapabilities?

    init(_ store: any EntityStore = InMemoryStore(), capabilities: StoreCapabilities? = nil) {
        self.store = store
        extent = capabilities
    }

    /// How many records were read since the last time this was asked.
    func takeReads() -> Int {
        counter.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    private func counted<E>(_ entities: [E]) -> [E] {
        counter.withLock { $0 += entities.count }
        return entities
    }

    var name: String { "counting" }
    var capabilities: StoreCapabilities { extent ?? store.capabilities }
    func open(_ schema: StoreSchema) async throws { try await store.open(schema) }
    func create<E: Entity>(_ entity: E) async throws { try await store.create(entity) }
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        counted([try await store.read(type, id: id)])[0]
    }
    func update<E: Entity>(_ entity: E) async throws -> E { try await store.update(entity) }
    func save<E: Entity>(_ entity: E) async throws -> E { try await store.save(entity) }
    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await store.delete(type, id: id)
    }
    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await store.exists(type, id: id)
    }
    func createAll<E: Entity>(_ entities: [E]) async throws { try await store.createAll(entities) }
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await store.saveAll(entities)
    }
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await store.deleteAll(type, ids: ids)
    }
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await store.deleteAll(type)
    }
    func count<E: Entity>(_ type: E.Type) async throws -> Int { try await store.count(type) }
    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] { try await store.ids(type) }
    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        counted(try await store.page(type, after: id, limit: limit))
    }
    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        counted(try await store.find(type, scan, limit: limit))
    }
    func reset(_ schema: StoreSchema) async throws { try await store.reset(schema) }
}
