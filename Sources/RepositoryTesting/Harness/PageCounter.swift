internal import RepositoryRuntime
internal import Synchronization

/// A store wrapper that counts the records returned, in total and per call.
final class PageCounter: EntityStoreWrapper {
    let store: any EntityStore
    private let counts = Mutex((total: 0, largest: 0))

    init(_ store: any EntityStore) {
        self.store = store
    }

    /// The total number of records returned.
    var total: Int { counts.withLock { $0.total } }
    /// The largest number of records returned by one call.
    var largest: Int { counts.withLock { $0.largest } }

    private func counted<E>(_ entities: [E]) -> [E] {
        counts.withLock {
            $0.total += entities.count
            $0.largest = max($0.largest, entities.count)
        }
        return entities
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        let entity = try await store.read(type, id: id)
        return counted([entity])[0]
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        counted(try await store.page(type, after: id, limit: limit))
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        counted(try await store.find(type, scan, limit: limit))
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        counted(try await store.select(type, selection))
    }
}
