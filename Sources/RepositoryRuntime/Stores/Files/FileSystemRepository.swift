public import Foundation

/// Keeps items as files in one folder, one file each: `item_<id>.<formatExtension>`, exactly the
/// transformer's bytes.
///
/// An id of 1–120 of `a-z 0-9 _ -`, or an upper-case UUID, stands in the name as it is; in others
/// each byte outside that set is `%XX`; for an id whose form is longer than 120 bytes a hash stands
/// there, and the id in a file beside it (`id_<hash>.txt`). A file that was written by hand under
/// the id as it stands (`item_Client.json`) is honoured where its listed name matches byte for
/// byte. The repository's own files lie in the folder `.repository`.
///
/// What returned is on the disk. Several repositories, in several processes, may share a folder.
public struct FileSystemRepository: CRUDRepository {
    private let documents: DocumentRepository

    /// Makes a repository over a folder in the user's documents folder, which on Linux is
    /// `XDG_DOCUMENTS_DIR`, or `Documents` in `HOME`. The folder is made by the first write.
    ///
    /// - Parameters:
    ///   - directoryName: the folder's name. It is one name: `/` in it is written `%2F`.
    ///   - dataTransformer: the format.
    ///   - busyTimeout: how long a write waits for another process or repository that writes to the
    ///     folder, before it throws a `databaseError` that can be retried and names the process.
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

    /// Makes a repository over a folder, which is made by the first write.
    ///
    /// - Parameters:
    ///   - directoryURL: the folder.
    ///   - dataTransformer: the format.
    ///   - busyTimeout: how long a write waits for another process or repository that writes to the
    ///     folder, before it throws a `databaseError` that can be retried and names the process.
    public init(
        directoryURL: URL, dataTransformer: any DataTransformer,
        busyTimeout: Duration = .seconds(10)
    ) {
        self.init(
            FileDriver(
                root: directoryURL, formatExtension: dataTransformer.formatExtension,
                keepsStamps: false, busyTimeout: busyTimeout),
            dataTransformer: dataTransformer)
    }

    /// Makes a repository over a driver.
    init(_ driver: FileDriver, dataTransformer: any DataTransformer) {
        documents = DocumentRepository(driver, collection: "", transformer: dataTransformer)
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
