internal import Synchronization

/// A read-only snapshot that records which tables are read through it. Every write throws
/// `unsupported`.
final class RecordingSnapshot: StoreTransaction, EntityStoreWrapper {
    let snapshot: any StoreTransaction
    private let read = Mutex<Set<String>>([])

    init(_ snapshot: any StoreTransaction) {
        self.snapshot = snapshot
    }

    var store: any EntityStore { snapshot }

    /// The names of the tables read so far.
    var tables: Set<String> { read.withLock { $0 } }

    /// Records that a table is read, and returns the snapshot.
    private func recording<E: Entity>(_ type: E.Type) -> any EntityStore {
        _ = read.withLock { $0.insert(E.Mapper.table.name) }
        return snapshot
    }

    /// The error for an operation that is not allowed in an observed closure.
    private func refusal(_ what: String) -> CRUDRepositoryError {
        .unsupported("\(what) inside an observation", by: name)
    }

    func commit() async throws { throw refusal("writes") }
    func rollBack() async { await snapshot.rollBack() }
}

extension RecordingSnapshot {
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await recording(type).read(type, id: id)
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await recording(type).exists(type, id: id)
    }

    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        try await recording(type).search(type, query)
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await recording(type).count(type)
    }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await recording(type).ids(type)
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await recording(type).page(type, after: id, limit: limit)
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        try await recording(type).find(type, scan, limit: limit)
    }

    /// Planning counts as reading: a plan that needs no records still depends on the table.
    /// A store may read related records itself, so that their tables count, too.
    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        read.withLock { $0.formUnion(query.tables) }
        return snapshot.plan(query)
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await recording(type).select(type, selection)
    }

    func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await recording(type).values(type, selection, at: paths)
    }

    func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await recording(type).summary(type, selection, summary)
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
