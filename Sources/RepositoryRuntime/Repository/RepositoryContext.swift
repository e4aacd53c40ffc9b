internal import Synchronization

/// What the repositories of one generated set share: the store, its schema, the clock and the source of ids.
public final class RepositoryContext: Sendable {
    /// The store it was made over.
    let base: any EntityStore
    /// The store: inside the body of a transaction, that transaction.
    public var store: any EntityStore {
        TransactionScope.transaction(of: base.changes) ?? base
    }
    /// The schema it is opened with.
    public let schema: StoreSchema
    /// The clock and the source of ids.
    public let defaults: EntityDefaults.Source
    /// What becomes of queries that read every record.
    public let fullScans: FullScanPolicy
    let loggedScans: LoggedScans
    /// Whether the store's format keeps whole seconds of a date only.
    private let keepsWholeSeconds: Bool
    private let isOpen = Atomic(false)
    private let resetCount = Atomic(0)
    /// How often everything was removed.
    var resets: Int { resetCount.load(ordering: .acquiring) }

    /// Makes a context; the store is opened by the first operation, or by ``open()``.
    public init(
        store: any EntityStore, schema: StoreSchema, defaults: EntityDefaults.Source = .system,
        fullScans: FullScanPolicy = .automatic
    ) {
        self.fullScans = fullScans
        loggedScans = LoggedScans()
        base = store
        self.schema = schema
        self.defaults = defaults
        keepsWholeSeconds = !store.capabilities.has(.fractionalSeconds)
    }

    /// The same context over a transaction of its store, which is open.
    init(_ transaction: any StoreTransaction, of context: RepositoryContext) {
        base = transaction
        schema = context.schema
        defaults = context.defaults
        fullScans = context.fullScans
        loggedScans = context.loggedScans
        keepsWholeSeconds = context.keepsWholeSeconds
        isOpen.store(true, ordering: .releasing)
    }

    /// The context of a write at this moment.
    func write(_ operation: WriteContext.Operation) -> WriteContext {
        WriteContext(operation, now: defaults.now(), keepsWholeSeconds: keepsWholeSeconds)
    }

    /// Whether the store was opened: asked where a read is too short for a call that may suspend.
    @inline(__always)
    var isReady: Bool { isOpen.load(ordering: .acquiring) }

    /// Opens the store, unless that is done.
    ///
    /// - Throws: `schemaMismatch`, or what the store says.
    public func open() async throws {
        if isReady { return }
        // Two tasks may both come here: a store opens the same schema twice without harm.
        try await store.open(schema)
        isOpen.store(true, ordering: .releasing)
    }

    /// Removes the records of this set's tables from the store, and its schema; the next operation opens the store again.
    ///
    /// Other sets in the store keep their tables. A table that another set declares too stays with its records.
    public func reset() async throws {
        try await open()
        isOpen.store(false, ordering: .releasing)
        resetCount.add(1, ordering: .acquiringAndReleasing)
        // Another task may have opened it before it was emptied.
        defer { isOpen.store(false, ordering: .releasing) }
        try await store.reset(schema)
    }
}
