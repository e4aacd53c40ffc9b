/// Keeps entities in user defaults, under the keys `database_<table>_item_<id>`, each the transformer's bytes.
///
/// Several programs may share a suite, on Linux too, where a batch is also whole when the program dies, and what returned
/// is on the disk. User defaults are made for small things: on Linux each change writes the whole suite.
public struct UserDefaultsStore: EntityStoreWrapper {
    /// The store of documents that does the work.
    public let store: any EntityStore

    /// Makes a store over the program's own defaults, or over a suite.
    ///
    /// - Parameters:
    ///   - suiteName: the suite; the program's own defaults when left out.
    ///   - transformer: the format of the records.
    public init(
        suiteName: String? = nil, transformer: any DataTransformer = JSONDataTransformer()
    ) {
        let driver = UserDefaultsDriver(DefaultsDomain(suiteName: suiteName), keepsStamps: true)
        store = DocumentStore(driver, transformer: transformer)
    }
}
