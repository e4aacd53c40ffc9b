/// Keeps items in user defaults, under the keys `database_<tableName>_item_<id>`, each the
/// transformer's bytes.
///
/// In both parts of a key `%`, controls and what is not ASCII are percent-encoded, and in a table's
/// name the underscore of `_item` (`%5F`): no table and id meet another table and id.
///
/// Several programs may share a suite, on Linux too, where Foundation alone would lose what others
/// wrote. User defaults are made for small things: on Linux each change writes the whole suite.
public struct UserDefaultsRepository: CRUDRepository {
    private let documents: DocumentRepository

    /// Makes a repository over the program's own defaults, or over a suite.
    ///
    /// - Parameters:
    ///   - tableName: what keeps its items apart from those of other repositories; any text.
    ///   - suiteName: the suite; the program's own defaults when left out.
    ///   - dataTransformer: the format.
    ///   - busyTimeout: how long a write waits for another process or store that writes to the
    ///     suite, before it throws a `databaseError` that can be retried and names the process.
    public init(
        tableName: String = "", suiteName: String? = nil,
        dataTransformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10)
    ) {
        let domain = DefaultsDomain(suiteName: suiteName, busyTimeout: busyTimeout)
        let driver = UserDefaultsDriver(domain, keepsStamps: false)
        documents = DocumentRepository(
            driver, collection: tableName, transformer: dataTransformer)
    }

    /// Stores a new item; throws `recordAlreadyExists` when the id is taken.
    public func create<T: Item>(id: ItemIdentifier, item: T) async throws {
        try await documents.create(id: id, item: item)
    }

    /// Reads an item; throws `recordNotFound`, `itemTypeMismatch`, `invalidRecord`.
    public func read<T: Item>(id: ItemIdentifier) async throws -> T {
        try await documents.read(id: id)
    }

    /// Replaces an item; throws `recordNotFound` when there is none.
    public func update<T: Item>(id: ItemIdentifier, item: T) async throws {
        try await documents.update(id: id, item: item)
    }

    /// Deletes an item; throws `recordNotFound` when there is none.
    public func delete(id: ItemIdentifier) async throws {
        try await documents.delete(id: id)
    }
}
