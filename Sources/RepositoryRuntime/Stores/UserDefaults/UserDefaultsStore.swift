/// A store that keeps entities in user defaults, under the keys `database_<table>_item_<id>`. Each
/// value is exactly the bytes of the transformer.
///
/// Several programs can share a suite, also on Linux. There, a batch is atomic even if the process
/// ends before it completes, and when a write returns, its changes are on the disk. User defaults
/// are intended for small amounts of data: on Linux, each change writes the whole suite. A
/// migration converts all records of a table in memory and writes them at once.
public struct UserDefaultsStore: EntityStoreWrapper, RecordChangingStore {
    /// The document store that performs the operations.
    public let store: any EntityStore
    /// The name of the suite; nil for the program's own defaults.
    let suiteName: String?
    /// The format of the records.
    let transformer: any DataTransformer
    /// How long a write waits for another process or store.
    let busyTimeout: Duration
    /// How long a write waits for other writers of this store; nil for no limit.
    let writerTimeout: Duration?

    /// Creates a store for the program's own defaults or for a suite.
    ///
    /// - Parameters:
    ///   - suiteName: The name of the suite; nil for the program's own defaults.
    ///   - transformer: The format of the records.
    ///   - busyTimeout: How long a write waits for another process or store that writes to the
    ///     suite. After that it throws a retryable `databaseError` that names the process.
    ///   - writerTimeout: How long a write or a transaction waits for other writers of this store;
    ///     nil for no limit. After that it throws a retryable `databaseError`.
    public init(
        suiteName: String? = nil, transformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10), writerTimeout: Duration? = nil
    ) {
        self.suiteName = suiteName
        self.transformer = transformer
        self.busyTimeout = busyTimeout
        self.writerTimeout = writerTimeout
        let domain = DefaultsDomain(suiteName: suiteName, busyTimeout: busyTimeout)
        let driver = UserDefaultsDriver(domain, providesStamps: true)
        store = DocumentStore(driver, transformer: transformer, writerTimeout: writerTimeout)
    }
}
