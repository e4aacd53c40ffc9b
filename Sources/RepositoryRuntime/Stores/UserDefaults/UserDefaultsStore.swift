/// Keeps entities in user defaults, under the keys `database_<table>_item_<id>`, each the
/// transformer's bytes.
///
/// Several programs may share a suite, on Linux too, where a batch is also whole when the program
/// dies, and what returned is on the disk. User defaults are made for small things: on Linux each
/// change writes the whole suite.
public struct UserDefaultsStore: EntityStoreWrapper {
    /// The store of documents that does the work.
    public let store: any EntityStore

    /// Makes a store over the program's own defaults, or over a suite.
    ///
    /// - Parameters:
    ///   - suiteName: the suite; the program's own defaults when left out.
    ///   - transformer: the format of the records.
    ///   - busyTimeout: how long a write waits for another process or store that writes to the
    ///     suite, before it throws a `databaseError` that can be retried and names the process.
    public init(
        suiteName: String? = nil, transformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10)
    ) {
        let domain = DefaultsDomain(suiteName: suiteName, busyTimeout: busyTimeout)
        let driver = UserDefaultsDriver(domain, keepsStamps: true)
        store = DocumentStore(driver, transformer: transformer)
    }
}
