/// A repository that stores items in user defaults, under the keys
/// `database_<tableName>_item_<id>`. Each value is exactly the bytes of the transformer.
///
/// In both parts of a key, `%`, control characters and non-ASCII characters are percent-encoded. In
/// the name of a table, the underscore of each `_item` is encoded too (`%5F`). Therefore different
/// pairs of table and id have different keys.
///
/// Several programs can share a suite. This also applies to Linux, where Foundation alone would
/// overwrite the changes of other programs. User defaults are intended for small amounts of data:
/// on Linux, each change writes the whole suite.
public struct UserDefaultsRepository: CRUDRepository {
    /// Implements the operations.
    private let documents: DocumentRepository

    /// Creates a repository for the program's own defaults or for a suite.
    ///
    /// - Parameters:
    ///   - tableName: A name that separates the items from those of other repositories. Any string
    ///     is valid.
    ///   - suiteName: The name of the suite; nil for the program's own defaults.
    ///   - dataTransformer: The format of the items.
    ///   - busyTimeout: How long a write waits for another process or store that writes to the
    ///     suite. After that it throws a retryable `databaseError` that names the process.
    public init(
        tableName: String = "", suiteName: String? = nil,
        dataTransformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10)
    ) {
        let domain = DefaultsDomain(suiteName: suiteName, busyTimeout: busyTimeout)
        let driver = UserDefaultsDriver(domain, providesStamps: false)
        documents = DocumentRepository(
            driver, collection: tableName, transformer: dataTransformer)
    }

    /// Stores a new item.
    ///
    /// - Throws: `recordAlreadyExists` if an item with the id exists.
    public func create<T: Item>(id: ItemIdentifier, item: T) async throws {
        try await documents.create(id: id, item: item)
    }

    /// Reads an item.
    ///
    /// - Throws: `recordNotFound` if there is no such item, `itemTypeMismatch` if the stored item
    ///   has another type, `invalidRecord` if its bytes are damaged.
    public func read<T: Item>(id: ItemIdentifier) async throws -> T {
        try await documents.read(id: id)
    }

    /// Replaces an item.
    ///
    /// - Throws: `recordNotFound` if there is no such item.
    public func update<T: Item>(id: ItemIdentifier, item: T) async throws {
        try await documents.update(id: id, item: item)
    }

    /// Deletes an item.
    ///
    /// - Throws: `recordNotFound` if there is no such item.
    public func delete(id: ItemIdentifier) async throws {
        try await documents.delete(id: id)
    }

    /// Closes the repository and its copies: waits for the calls that have begun, and releases its
    /// file descriptors. Later calls throw `storeClosed`. A second call has no effect.
    public func close() async { await documents.close() }
}

extension UserDefaultsRepository: ItemListing {
    package func itemIDs() async throws -> [String] { try await documents.ids() }
}
