internal import Foundation
internal import Synchronization

/// A read-only transaction on an in-memory store: its tables at one moment.
///
/// The snapshot shares the trees of the tables. It copies no records and takes no locks.
///
/// It is safe to use from several threads, because the trees are immutable values. It retains the
/// old versions of changed records until it is released.
final class MemorySnapshot: StoreTransaction {
    private let store: InMemoryStore
    /// The tables by name. A missing table was empty.
    private let tables: [String: FrozenRows]
    private let isOver = Atomic(false)

    /// Takes over an operation that the life of the store counts.
    init(_ store: InMemoryStore, _ tables: [String: FrozenRows]) {
        self.store = store
        self.tables = tables
    }

    deinit { _ = end() }

    /// Ends the snapshot. Returns false if it had ended before.
    private func end() -> Bool {
        if isOver.exchange(true, ordering: .acquiringAndReleasing) { return false }
        store.life.leave()
        return true
    }

    var name: String { store.name }
    var capabilities: StoreCapabilities { store.capabilities }
    var changes: StoreChanges { store.changes }

    func commit() async throws {
        guard end() else { throw CRUDRepositoryError.transactionEnded }
    }

    func rollBack() async { _ = end() }

    /// Returns the records of a table.
    ///
    /// - Throws: `transactionEnded` after the end of the transaction.
    private func rows<E: Entity>(_ type: E.Type) throws -> FrozenRows {
        if isOver.load(ordering: .acquiring) { throw CRUDRepositoryError.transactionEnded }
        let table = E.Mapper.table
        return tables[table.name] ?? FrozenRows(table)
    }
}

/// Reads, answered from the frozen trees.
extension MemorySnapshot {
    func open(_ schema: StoreSchema) async throws { try await store.open(schema) }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        guard let record = try rows(type).record(id.storedKey()) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        return record.entity(type)
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try rows(type).record(id.storedKey()) != nil
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int { try rows(type).order.count }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try rows(type).order.values().map { $0.entity(type).id }
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        let last = try id.map { try $0.storedKey() }
        return try rows(type).page(after: last, limit: limit).entities(type)
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        try scan.check(type, in: name)
        return try rows(type).find(scan, limit: limit).entities(type)
    }
}

extension MemorySnapshot {
    /// Returns a chunk that the store still has.
    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await store.externalChunk(type, id: id, content: content, index: index)
    }
}

/// Writes, which throw `unsupported`.
extension MemorySnapshot {
    private var refusal: CRUDRepositoryError { .unsupported("writing in a snapshot", by: name) }

    func create<E: Entity>(_ entity: E) async throws { throw refusal }
    func update<E: Entity>(_ entity: E) async throws -> E { throw refusal }
    func save<E: Entity>(_ entity: E) async throws -> E { throw refusal }
    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws { throw refusal }
    func createAll<E: Entity>(_ entities: [E]) async throws { throw refusal }
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] { throw refusal }
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int { throw refusal }
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int { throw refusal }
    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int { throw refusal }
    func reset(_ schema: StoreSchema) async throws { throw refusal }
    func begin() async throws -> any StoreTransaction {
        throw CRUDRepositoryError.unsupported("a transaction in a snapshot", by: name)
    }
}
