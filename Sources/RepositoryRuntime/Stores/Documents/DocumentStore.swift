internal import Foundation
internal import Synchronization

/// A store of entities as documents: bytes under keys in named collections, encoded by a
/// transformer.
///
/// For implementers: a new store of documents needs only a ``DocumentDriver``. This class
/// implements ids, versions, unique indexes, references, finders, batches and schemas.
///
/// Declared indexes, and the indexes that references need, are documents in a collection of their
/// own. They change in the same batch as the records. A lookup reads only the index pages it needs
/// and the records it returns. If an index is missing or damaged, or if another program has written
/// records without it, the index is rebuilt, which reads every record once.
///
/// Reading a record whose bytes are damaged throws `invalidRecord` with its id, both for a single
/// record and in `fetch()` and `stream()`. All other records remain readable. `ids()` and `count()`
/// include the damaged record, and it can be replaced and deleted. A document whose key is not an
/// id of the table's type is not a record.
public final class DocumentStore<Driver: DocumentDriver>: EntityStore {
    /// The state behind the store's mutex, which one thread at a time uses.
    ///
    /// Locks are acquired in this order: the queue of writers (`line`), the driver's lock, the
    /// store's mutex, the lock of the batches of a file driver.
    struct State {
        /// The tables of the opened sets.
        let tables = StoreTables()
        /// The document changes of the running write.
        let staged = StagedChanges()
        /// The opened sets and the description they were compared with.
        let sets = OpenedSets()
    }

    /// The observers of the store.
    public let changes = StoreChanges()
    /// The documents, in the form in which the format reads them.
    let driver: any DocumentDriver
    /// The driver of the caller, if nothing wraps its documents: reads of cached documents need no
    /// existential.
    let plain: Driver?
    /// Encodes and decodes the records.
    let coder: RecordCoder
    /// The tables. A write acquires the mutex after the driver's lock.
    let state = Mutex(State())
    /// Tells whether any process has changed the description; nil if the driver does not know.
    let watch: DescriptionWatch?
    /// The value of ``watch`` when the description was last found to fit the opened sets.
    let watched = Atomic<UInt64>(0)
    /// What readers compare a changed description with. Unlike the state, no writer holds it.
    let known = Mutex(KnownSets())
    /// The queue of the writers of this process while a transaction is open.
    let line: WriterLine
    /// Whether the store is open.
    let life = StoreLife()
    /// The sorted ids of tables that are being read page by page.
    let listings = ListingCache()
    /// Runs the writes, one at a time, because each holds the store's lock.
    let writing: BlockingQueue
    /// Runs the reads that may block.
    let reading: BlockingQueue

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - driver: The storage of the documents.
    ///   - transformer: The format of the records. A ``WrappingTransformer`` wraps all documents,
    ///     also those of indexes and external data.
    ///   - writerTimeout: How long a write or a transaction waits for other writers of this store;
    ///     nil for no limit. After that it throws a retryable `databaseError`. Waits for other
    ///     processes have the limits of the driver.
    public init(
        _ driver: Driver, transformer: any DataTransformer, writerTimeout: Duration? = nil
    ) {
        if let layers = WrappingLayers(transformer) {
            self.driver = WrappedDriver(driver, layers)
            plain = nil
            coder = RecordCoder(transformer: layers.format, wrapped: transformer.formatExtension)
        } else {
            self.driver = driver
            plain = driver
            coder = RecordCoder(transformer: transformer)
        }
        watch = (self.driver as? any WatchedDriver)?.descriptionWatch
        line = WriterLine(limit: writerTimeout)
        writing = BlockingQueue(
            label: "EntityStore.\(driver.name).writes", life: life, limit: writerTimeout)
        reading = BlockingQueue(
            label: "EntityStore.\(driver.name).reads", isSerial: false, life: life)
    }

    /// The kind of store.
    public var name: String { driver.name }

    /// The capabilities of documents, as far as the driver and the format support them.
    public var capabilities: StoreCapabilities {
        let scan = "a write changes documents of the index, too"
        var support: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .versions: .native,
            .finders: .emulated(cost: scan), .uniqueIndexes: .emulated(cost: scan),
            .uniqueExchange: .emulated(cost: scan),
            .references: .emulated(cost: scan),
            .queries: .emulated(cost: "the runtime tests and sorts what an id or an index finds"),
            .reset: .native, .persistent: .native, .fractionalSeconds: .native,
            .controlCharacters: .native, .multipleProcesses: .native,
            .indexScans: .emulated(cost: scan),
            .idScans: .emulated(
                cost: "the ids are listed, unless an index begins with the first component"),
            .updates: .native, .conflictPolicies: .native,
            .transactions: .emulated(
                cost: "its changes are kept in memory; writers of all processes wait for its end"),
            .snapshots: .emulated(cost: "writers of all processes wait until it is over"),
            .observation: .native, .closing: .native,
            .externalData: .emulated(cost: "each chunk of 256 KiB is a document"),
        ]
        if !driver.holdsLargeDocuments { support[.externalData] = .absent }
        if driver.providesStamps {
            support[.externalObservation] = .emulated(cost: "the stamps of the tables are polled")
            support[.changeState] = .emulated(cost: "a stamp of each table is read")
        }
        if driver is any MaintainedDriver {
            support[.backups] = .native
            support[.compaction] = .native
        }
        if driver.isDurable { support[.durable] = .native }
        if driver.batchesAreAtomic { support[.atomicBatches] = .native }
        for capability in coder.transformer.lacking { support[capability] = .absent }
        return StoreCapabilities(support)
    }

    /// Runs a write atomically, under the lock of all processes.
    ///
    /// Before the body, the method recovers an unfinished batch and checks that no other program
    /// has changed the schema.
    ///
    /// - Parameter body: Changes the tables. Its changes are staged in memory and applied after it
    ///   returns.
    /// - Returns: The result of the body, after its changes have been applied.
    func write<R: Sendable>(
        _ body: @escaping @Sendable (StoreWrite) throws -> R
    ) async throws -> R {
        try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            return try state.withLock { state in
                state.staged.changes = []
                return try state.tables.write(telling: changes, body) { try apply(state.staged) }
            }
        }
    }

    /// Runs a body while no other writer is active in any process, after open transactions have
    /// ended.
    func alone<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        // Writers that arrive during a transaction wait in `line`, so that they do not block the
        // thread of the writes.
        let isFree = line.isFree
        if !isFree { try await line.take() }
        defer { if !isFree { line.leave() } }
        return try await writing.runWrite { [driver] cancellation in
            try driver.withLock(cancellation, body)
        } rest: { [driver] in
            driver.performDeferredCleanup()
        }
    }

    /// Applies the staged changes and clears them.
    func apply(_ staged: StagedChanges) throws {
        let changes = staged.changes
        staged.changes = []
        try apply(changes)
    }

    /// Applies changes as a single change or as a batch.
    ///
    /// - Throws: `recordAlreadyExists` if a single new document has been created by another program
    ///   in the meantime.
    private func apply(_ changes: [DocumentChange]) throws {
        guard changes.count == 1 else { return try driver.applyAll(changes) }
        if try driver.apply(changes[0]) { return }
        // A program or a person that does not take the lock created the document first.
        throw CRUDRepositoryError.recordAlreadyExists(
            id: changes[0].key, table: changes[0].collection)
    }
}
