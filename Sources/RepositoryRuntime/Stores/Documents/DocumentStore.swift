internal import Foundation
internal import Synchronization

/// A whole store of entities over documents: bytes under keys in named collections, written by a transformer.
///
/// For implementers: a ``DocumentDriver`` is all that a new store of documents needs. Ids, versions, unique indexes,
/// references, finders, batches and schemas are kept here.
///
/// Declared indexes, and those that references need, are documents of their own beside the records, changed in the same
/// step as these: a look-up reads the pages it needs and the records it returns. Where they are missing or broken, or
/// somebody else has written records, they are made anew, which reads every record once.
///
/// A record whose bytes are damaged throws `invalidRecord` with its id when it is read, alone or among others by
/// `fetch()` and `stream()`; the others stay readable, `ids()` and `count()` count it, it can be replaced and deleted. A
/// document whose key is no id of the table's type is no record.
public final class DocumentStore<Driver: DocumentDriver>: EntityStore {
    /// What is used by one thread at a time.
    struct State {
        let tables = StoreTables()
        let staged = StagedChanges()
        let sets = OpenedSets()
    }

    /// Who observes the store.
    public let changes = StoreChanges()
    let driver: Driver
    let coder: RecordCoder
    let state = Mutex(State())
    let line = WriterLine()
    let listings = ListingCache()
    /// The thread of writes: one, because what it runs holds the store's lock anyway.
    let writing: BlockingQueue
    /// The threads of reads, except for those of what is at hand.
    let reading: BlockingQueue

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - driver: where the documents are.
    ///   - transformer: the format of the records.
    public init(_ driver: Driver, transformer: any DataTransformer) {
        self.driver = driver
        coder = RecordCoder(transformer: transformer)
        writing = BlockingQueue(label: "EntityStore.\(driver.name).writes")
        reading = BlockingQueue(label: "EntityStore.\(driver.name).reads", isSerial: false)
    }

    /// The kind of store.
    public var name: String { driver.name }

    /// What documents can do, as far as the driver and the format can.
    public var capabilities: StoreCapabilities {
        let scan = "a write changes documents of the index, too"
        var support: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .versions: .native,
            .finders: .emulated(cost: scan), .uniqueIndexes: .emulated(cost: scan),
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
            .observation: .native,
        ]
        if driver.keepsStamps {
            support[.externalObservation] = .emulated(cost: "the stamps of the tables are polled")
        }
        if driver.isDurable { support[.durable] = .native }
        if driver.batchesAreAtomic { support[.atomicBatches] = .native }
        for capability in coder.transformer.lacking { support[capability] = .absent }
        return StoreCapabilities(support)
    }

    /// Runs a write, all or none, under the lock of all processes.
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

    /// Runs a body that nobody else writes meanwhile, once no transaction is open.
    func alone<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        // Those that come before the end of a transaction wait in the line, where they can be cancelled.
        let isFree = line.isFree
        if !isFree { try await line.take() }
        defer { if !isFree { line.leave() } }
        return try await writing.run { [driver] in
            try driver.withLock(body)
        } rest: { [driver] in
            driver.tidyUp()
        }
    }

    /// Makes the changes that were staged.
    func apply(_ staged: StagedChanges) throws {
        let changes = staged.changes
        staged.changes = []
        try apply(changes)
    }

    private func apply(_ changes: [DocumentChange]) throws {
        guard changes.count == 1 else { return try driver.applyAll(changes) }
        if try driver.apply(changes[0]) { return }
        // Somebody who does not take the lock, such as a person, was quicker.
        throw CRUDRepositoryError.recordAlreadyExists(
            id: changes[0].key, table: changes[0].collection)
    }
}
