internal import Synchronization

/// The state that the repositories of one generated set share: the store, its schema, the clock and
/// the source of ids.
public final class RepositoryContext: Sendable {
    /// The store that the context was created with.
    let base: any EntityStore
    /// The store, or the running transaction inside the body of one.
    public var store: any EntityStore {
        guard joinsTransactions, let transaction = TransactionScope.transaction(of: base.changes)
        else { return base }
        // Another set without external data may have begun it.
        return hasExternalData ? ExternalDataTransaction.around(transaction, of: base) : transaction
    }
    /// The schema with which the store is opened.
    public let schema: StoreSchema
    /// The clock and the source of ids.
    public let defaults: EntityDefaults.Source
    /// How queries are treated that read every record.
    public let fullScans: FullScanPolicy
    /// The full scans that were logged, shared with the contexts of transactions.
    let loggedScans: LoggedScans
    /// Whether the store counts ids for tables of the schema.
    private let countsIDs: Bool
    /// Whether the store's format stores dates as whole seconds.
    let roundsToSeconds: Bool
    /// Whether an entity of the schema has external data.
    private let hasExternalData: Bool
    /// Whether the repositories take part in a running transaction of the store. A read-only store
    /// has no transactions, and one of the store that it wraps would write.
    private let joinsTransactions: Bool
    /// Whether the store is open. It is atomic, because reads check it without suspending.
    private let isOpen = Atomic(false)
    private let resetCount = Atomic(0)
    private let runningResets = Atomic(0)
    /// The number of beginnings and ends of ``reset()``.
    var resets: Int { origin?.resets ?? resetCount.load(ordering: .sequentiallyConsistent) }
    /// Whether a reset runs.
    var isBeingReset: Bool {
        origin?.isBeingReset ?? (runningResets.load(ordering: .sequentiallyConsistent) > 0)
    }
    /// Whether the repositories find deleted records like others.
    let includesDeleted: Bool
    /// Whether writes keep the dates of creation and update that they are given.
    let keepsDates: Bool
    /// The context that opens the store for this one; nil if it opens the store itself.
    private let origin: RepositoryContext?

    /// Creates a context. The store is opened by the first operation or by ``open()``.
    public init(
        store: any EntityStore, schema: StoreSchema, defaults: EntityDefaults.Source = .system,
        fullScans: FullScanPolicy = .automatic
    ) {
        self.fullScans = fullScans
        loggedScans = LoggedScans()
        includesDeleted = false
        keepsDates = false
        origin = nil
        hasExternalData = schema.hasExternalData
        base = hasExternalData ? ExternalDataStore.around(store) : store
        self.schema = schema
        self.defaults = defaults
        countsIDs = !schema.countedTables.isEmpty
        roundsToSeconds = !store.capabilities.has(.fractionalSeconds)
        joinsTransactions = store.capabilities.has(.transactions)
    }

    /// Creates a context that uses an open transaction of the store.
    init(_ transaction: any StoreTransaction, of context: RepositoryContext) {
        hasExternalData = context.hasExternalData
        base =
            hasExternalData
            ? ExternalDataTransaction.around(transaction, of: context.base) : transaction
        schema = context.schema
        defaults = context.defaults
        fullScans = context.fullScans
        loggedScans = context.loggedScans
        countsIDs = context.countsIDs
        roundsToSeconds = context.roundsToSeconds
        joinsTransactions = context.joinsTransactions
        includesDeleted = context.includesDeleted
        keepsDates = context.keepsDates
        origin = nil
        isOpen.store(true, ordering: .releasing)
    }

    /// Creates the context whose repositories find deleted records like others, or keep the dates
    /// that they are given. It never counts as open, because the other one knows when the store has
    /// to be opened again.
    init(
        _ context: RepositoryContext, includingDeleted: Bool = false, keepingDates: Bool = false
    ) {
        hasExternalData = context.hasExternalData
        base = context.base
        schema = context.schema
        defaults = context.defaults
        fullScans = context.fullScans
        loggedScans = context.loggedScans
        countsIDs = context.countsIDs
        roundsToSeconds = context.roundsToSeconds
        joinsTransactions = context.joinsTransactions
        includesDeleted = includingDeleted || context.includesDeleted
        keepsDates = keepingDates || context.keepsDates
        origin = context
    }

    /// Returns a stored entity whose external data is loaded from the store.
    func loading<E: Entity>(_ entity: E) -> E {
        (base as? any ExternalDataKeeper)?.attached(entity) ?? entity
    }

    /// The context of a write that happens now.
    func write(_ operation: WriteContext.Operation) -> WriteContext {
        WriteContext(
            operation, now: defaults.now(), roundsToSeconds: roundsToSeconds,
            keepsDates: keepsDates)
    }

    /// Whether the store is open. Reads check it first, because a call that may suspend is
    /// expensive compared with them.
    @inline(__always)
    var isReady: Bool { isOpen.load(ordering: .acquiring) }

    /// Opens the store, unless it is open already.
    ///
    /// - Throws: `schemaMismatch`, or another error of the store.
    public func open() async throws {
        if isReady { return }
        if let origin { return try await origin.open() }
        try await open(schema)
    }

    /// Opens the store again, although it may be open.
    ///
    /// - Throws: the errors of ``open()``.
    func reopen() async throws {
        if let origin { return try await origin.reopen() }
        try await open(schema)
    }

    /// Opens the store with the schema, which may have wishes for the migration.
    func open(_ schema: StoreSchema) async throws {
        while true {
            let before = resets
            try await openOnce(schema)
            // A reset that began or ended meanwhile may have emptied the store afterwards.
            guard resets == before else { continue }
            isOpen.store(true, ordering: .sequentiallyConsistent)
            if resets == before { return }
            isOpen.store(false, ordering: .sequentiallyConsistent)
        }
    }

    private func openOnce(_ schema: StoreSchema) async throws {
        try schema.opening.requireAllowed()
        try schema.requireExternalData(of: base)
        // Concurrent calls may both open the store, which is harmless for the same schema.
        do {
            try await store.open(schema)
        } catch let error as CRUDRepositoryError
            where error.code == .schemaMismatch && schema.opening == .resetIfUnreleased
        {
            guard try await store.migrationPlan(schema).isUnreleased else { throw error }
            try await store.reset(schema)
            try await store.open(schema)
        }
        if countsIDs { try await store.open(.idCounters) }
    }

    /// Opens the store with wishes for the migration, unless it is open already.
    ///
    /// - Throws: `unsupported` if the store cannot make the copy or set records aside.
    package func migrate(_ control: MigrationControl) async throws {
        if isReady { return }
        if let origin { return try await origin.migrate(control) }
        if control.backup != nil || control.unreadable != .fail {
            // A store that has no plans does not know the wishes either.
            let plan = try await store.migrationPlan(schema)
            if control.backup != nil, plan.isNeeded, !store.capabilities.has(.persistent) {
                throw CRUDRepositoryError.unsupported("copying its data to a file", by: store.name)
            }
        }
        try await open(schema.controlled(by: control))
    }

    /// Removes the records of this set's tables from the store, and its schema; the next operation
    /// opens the store again.
    ///
    /// Other sets in the store keep their tables. A table that another set declares too stays with
    /// its records.
    public func reset() async throws {
        if let origin { return try await origin.reset() }
        try await open()
        runningResets.add(1, ordering: .sequentiallyConsistent)
        resetCount.add(1, ordering: .sequentiallyConsistent)
        isOpen.store(false, ordering: .sequentiallyConsistent)
        // Another task may have opened the store before it was emptied.
        defer {
            resetCount.add(1, ordering: .sequentiallyConsistent)
            isOpen.store(false, ordering: .sequentiallyConsistent)
            runningResets.subtract(1, ordering: .sequentiallyConsistent)
        }
        try await store.reset(schema)
        guard countsIDs else { return }
        let counted = schema.countedTables.map { IDCounter.ID($0.name) }
        _ = try await store.deleteAll(IDCounter.self, ids: counted)
        if try await store.count(IDCounter.self) == 0 { try await store.reset(.idCounters) }
    }
}
