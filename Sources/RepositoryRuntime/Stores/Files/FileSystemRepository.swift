public import Foundation

/// A repository that stores each item in a file of its own, in one folder.
///
/// The file name is `item_<id>.<formatExtension>`. The contents are exactly the bytes of the
/// transformer.
///
/// The id is encoded in the file name as follows:
///
/// - An id of 1 to 120 characters of `a-z 0-9 _ -`, or an upper-case UUID, stays unchanged.
/// - In other ids, each byte outside that set becomes `%XX`.
/// - If the result is longer than 120 bytes, the file name contains a hash. The id is stored in the
///   file `id_<hash>.txt` in the same folder.
///
/// A file created by hand under the unencoded id (`item_Client.json`) is an item too, if the name
/// in the folder listing matches byte for byte. The repository's own files are in the folder
/// `.repository`.
///
/// When a write returns, its changes are on the disk. Several repositories, in several processes,
/// can share a folder.
public struct FileSystemRepository: CRUDRepository {
    /// Implements the operations.
    private let documents: DocumentRepository

    /// Creates a repository for a folder in the user's documents folder. On Linux, that is
    /// `XDG_DOCUMENTS_DIR`, or `Documents` in `HOME`. The first write creates the folder.
    ///
    /// - Parameters:
    ///   - directoryName: The name of the folder. It is a single name: `/` in it is written as
    ///     `%2F`.
    ///   - dataTransformer: The format of the items.
    ///   - busyTimeout: How long a write waits for another process or repository that writes to the
    ///     folder. After that it throws a retryable `databaseError` that names the process.
    public init(
        directoryName: String = "Database", dataTransformer: any DataTransformer,
        busyTimeout: Duration = .seconds(10)
    ) {
        let name = PercentEncoding.encode(directoryName) { $0 != UInt8(ascii: "/") && $0 != 0 }
        let isRelative = name == "." || name == ".."
        let folder = isRelative ? name.replacing(".", with: "%2E") : name
        let parent = DocumentsFolder.url
        self.init(
            directoryURL: folder.isEmpty ? parent : parent.appendingPathComponent(folder),
            dataTransformer: dataTransformer, busyTimeout: busyTimeout)
    }

    /// Creates a repository for a folder. The first write creates the folder.
    ///
    /// - Parameters:
    ///   - directoryURL: The folder.
    ///   - dataTransformer: The format of the items.
    ///   - busyTimeout: How long a write waits for another process or repository that writes to the
    ///     folder. After that it throws a retryable `databaseError` that names the process.
    public init(
        directoryURL: URL, dataTransformer: any DataTransformer,
        busyTimeout: Duration = .seconds(10)
    ) {
        self.init(
            FileDriver(
                root: directoryURL, formatExtension: dataTransformer.formatExtension,
                providesStamps: false, busyTimeout: busyTimeout),
            dataTransformer: dataTransformer)
    }

    /// Creates a repository for a driver.
    init(_ driver: FileDriver, dataTransformer: any DataTransformer) {
        documents = DocumentRepository(driver, collection: "", transformer: dataTransformer)
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

extension FileSystemRepository: ItemListing {
    package func itemIDs() async throws -> [String] { try await documents.ids() }
}
