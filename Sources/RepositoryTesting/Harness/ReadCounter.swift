internal import RepositoryRuntime
internal import Synchronization

/// A store wrapper that counts the requests for records and snapshots.
final class ReadCounter: EntityStoreWrapper {
    let store: any EntityStore
    private let count = Atomic(0)

    init(_ store: any EntityStore) {
        self.store = store
    }

    /// The number of requests.
    var reads: Int { count.load(ordering: .acquiring) }

    private func counted() -> any EntityStore {
        count.add(1, ordering: .acquiringAndReleasing)
        return store
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await counted().read(type, id: id)
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await counted().count(type)
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await counted().page(type, after: id, limit: limit)
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        try await counted().find(type, scan, limit: limit)
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await counted().select(type, selection)
    }

    func snapshot() async throws -> any StoreTransaction { try await counted().snapshot() }
}
