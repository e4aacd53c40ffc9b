/// A store that keeps what it has read from another store in memory.
///
/// ```swift
/// let library = try Library(FileSystemStore(directory: url).caching())
/// ```
/// What is read through the cache is what the store has: before each answer from memory, the cache
/// asks the store whether anything was committed since, by this program or another one, and if so
/// forgets everything. It therefore helps where reads are much more frequent than writes, and where a
/// read costs much more than this question: queries, and records of files. A store that cannot answer
/// the question at little cost has no such cache; `maximumAge` does without the question.
///
/// Reads of single records, queries and their values, counts and aggregates are kept. Transactions
/// and snapshots read the store. Memory is bounded by the number of records: what was used least
/// recently is forgotten first.
public final class CachingStore: EntityStoreWrapper, TolerantStore {
    /// The wrapped store.
    public let store: any EntityStore
    /// How long an answer from memory may be used without asking the store; nil to ask each time.
    public let maximumAge: Duration?
    private let memory: CacheMemory
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The number of the observer of the store's own commits, if there is one.
    private let observer: Int?

    /// Creates a store with a cache.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - limit: the number of records, or of other values, that are kept at most.
    ///   - maximumAge: how long an answer may be given without asking the store. It may then lack
    ///     commits of other programs; those of this program through the same store are noticed. Nil
    ///     to ask each time.
    ///   - now: the time; replaced in tests.
    /// - Throws: `unsupported` if the store cannot tell at little cost whether it has changed, and
    ///   `maximumAge` is nil.
    public init(
        _ store: any EntityStore, limit: Int = 10_000, maximumAge: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) throws(CRUDRepositoryError) {
        guard maximumAge != nil || store.capabilities.has(.changeState) else {
            throw CRUDRepositoryError.unsupported(
                "a cache without 'maximumAge', because it does not tell whether it has changed",
                by: store.name)
        }
        self.store = store
        self.maximumAge = maximumAge
        self.now = now
        let memory = CacheMemory(limit: limit)
        self.memory = memory
        observer = maximumAge == nil ? nil : store.changes.add { _ in memory.clear() }
    }

    deinit {
        if let observer { store.changes.remove(observer) }
    }

    /// The number of answers from memory, and of those from the store, so far.
    public var statistics: CacheStatistics { memory.statistics }

    /// Returns an answer from memory, or asks the store and keeps its answer.
    ///
    /// An answer is kept only if nothing was committed while the store gave it.
    private func answer<R: Sendable>(
        _ question: CacheQuestion?, size: (R) -> Int, _ ask: () async throws -> R
    ) async throws -> R {
        guard let question, let before = try await state() else { return try await ask() }
        if let kept: R = memory.answer(to: question, at: before, since: oldest) { return kept }
        let answer = try await ask()
        if try await state() == before {
            memory.keep(answer, to: question, at: before, size: size(answer), now())
        }
        return answer
    }

    /// The state of the store that an answer belongs to.
    private func state() async throws -> UInt64? {
        maximumAge == nil ? try await store.changeState() : memory.clearings
    }

    /// The time before which answers are too old; nil if the store is asked.
    private var oldest: ContinuousClock.Instant? { maximumAge.map { now() - $0 } }
}

/// Reads.
extension CachingStore {
    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await answer(.record(E.self, id), size: { _ in 1 }) {
            try await store.read(type, id: id)
        }
    }

    /// Returns whether there is an entity with an id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await answer(.existence(E.self, id), size: { _ in 1 }) {
            try await store.exists(type, id: id)
        }
    }

    /// Returns the number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await answer(CacheQuestion(E.self, .count), size: { _ in 1 }) {
            try await store.count(type)
        }
    }

    /// Returns all ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await answer(CacheQuestion(E.self, .ids), size: \.count) { try await store.ids(type) }
    }

    /// Returns the entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await answer(.page(E.self, id, limit), size: \.count) {
            try await store.page(type, after: id, limit: limit)
        }
    }

    /// Returns the entities of a scan of a declared index.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await answer(CacheQuestion(E.self, .scan(scan, limit)), size: \.count) {
            try await store.find(type, scan, limit: limit)
        }
    }

    /// Returns the entities of a selection.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await answer(.selection(E.self, selection, .selection(selection)), size: \.count) {
            try await store.select(type, selection)
        }
    }

    /// Returns the values at the given paths for each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await answer(.selection(E.self, selection, .values(selection, paths)), size: \.count) {
            try await store.values(type, selection, at: paths)
        }
    }

    /// Returns the aggregates of a selection.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await answer(
            .selection(E.self, selection, .summary(selection, summary)),
            size: { $0?.count ?? 1 }
        ) { try await store.summary(type, selection, summary) }
    }

    /// Reads all entities and those that are unreadable from the store.
    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        guard let tolerant = store as? any TolerantStore else { return nil }
        return try await tolerant.fetchTolerantly(type, failures: maximum)
    }
}

extension EntityStore {
    /// Returns a store that keeps what it has read from this store in memory; see ``CachingStore``.
    ///
    /// - Parameters:
    ///   - limit: the number of records, or of other values, that are kept at most.
    ///   - maximumAge: how long an answer may be given without asking the store; nil to ask each time.
    /// - Throws: `unsupported` if the store cannot tell at little cost whether it has changed, and
    ///   `maximumAge` is nil.
    public func caching(
        limit: Int = 10_000, maximumAge: Duration? = nil
    ) throws(CRUDRepositoryError) -> CachingStore {
        try CachingStore(self, limit: limit, maximumAge: maximumAge)
    }
}
