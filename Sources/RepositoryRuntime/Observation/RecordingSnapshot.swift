internal import Synchronization

/// A snapshot that notes which tables are read from it. It refuses to write.
final class RecordingSnapshot: StoreTransaction, EntityStoreWrapper {
    let snapshot: any StoreTransaction
    private let read = Mutex<Set<String>>([])

    init(_ snapshot: any StoreTransaction) {
        self.snapshot = snapshot
    }

    var store: any EntityStore { snapshot }

    /// The tables that were read so far.
    var tables: Set<String> { read.withLock { $0 } }

    private func noting<E: Entity>(_ type: E.Type) -> any EntityStore {
        _ = read.withLock { $0.insert(E.Mapper.table.name) }
        return snapshot
    }

    private func refusal(_ what: String) -> CRUDRepositoryError {
        .unsupported("\(what) in what is observed", by: name)
    }

    func commit() async throws { throw refusal("writes") }
    func rollBack() async { await snapshot.rollBack() }
}

extension RecordingSnapshot {
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await noting(type).read(type, id: id)
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await noting(type).exists(type, id: id)
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await noting(type).count(type)
    }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await noting(type).ids(type)
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await noting(type).page(type, after: id, limit: limit)
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        try await noting(type).find(type, scan, limit: limit)
    }

    /// A plan may answer a query without reading anything, which its table decides all the same.
    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan { noting(E.self).plan(query) }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await noting(type).select(type, selection)
    }

    func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await noting(type).values(type, selection, at: paths)
    }

    func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await noting(type).summary(type, selection, summary)
    }
}

extension RecordingSnapshot {
    func create<E: Entity>(_ entity: E) async throws { throw refusal("writes") }
    func update<E: Entity>(_ entity: E) async throws -> E { throw refusal("writes") }
    func save<E: Entity>(_ entity: E) async throws -> E { throw refusal("writes") }
    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws { throw refusal("writes") }
    func createAll<E: Entity>(_ entities: [E]) async throws { throw refusal("writes") }
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] { throw refusal("writes") }
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        throw refusal("writes")
    }
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int { throw refusal("writes") }
    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int { throw refusal("writes") }
    func reset(_ schema: StoreSchema) async throws { throw refusal("writes") }
    func begin() async throws -> any StoreTransaction { throw refusal("transactions") }
    func snapshot() async throws -> any StoreTransaction { throw refusal("transactions") }
}
