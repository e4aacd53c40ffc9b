internal import Synchronization

/// What the repositories of one generated set share: the store, its schema, the clock and the source of ids.
public final class RepositoryContext: Sendable {
    /// The store.
    public let store: any EntityStore
    /// The schema it is opened with.
    public let schema: StoreSchema
    /// The clock and the source of ids.
    public let defaults: EntityDefaults.Source
    /// Whether the store's format keeps whole seconds of a date only.
    private let keepsWholeSeconds: Bool
    private let isOpen = Atomic(false)

    /// Makes a context; the store is opened by the first operation, or by ``open()``.
    public init(
        store: any EntityStore, schema: StoreSchema, defaults: EntityDefaults.Source = .system
    ) {
        self.store = store
        self.schema = schema
        self.defaults = defaults
        keepsWholeSeconds = !store.capabilities.has(.fractionalSeconds)
    }

    /// The context of a write at this moment.
    func write(_ operation: WriteContext.Operation) -> WriteContext {
        WriteContext(operation, now: defaults.now(), keepsWholeSeconds: keepsWholeSeconds)
    }

    /// Opens the store, unless that is done.
    ///
    /// - Throws: `schemaMismatch`, or what the store says.
    public func open() async throws {
        if isOpen.load(ordering: .acquiring) { return }
        // Two tasks may both come here: a store opens the same schema twice without harm.
        try await store.open(schema)
        isOpen.store(true, ordering: .releasing)
    }

    /// Removes everything of this schema from the store; the next operation starts anew.
    public func reset() async throws {
        try await open()
        isOpen.store(false, ordering: .releasing)
        try await store.reset()
    }
}
