public import Foundation

/// A store that keeps each record in a file of its own, with one folder per table.
///
/// A record is the file `<directory>/<table>/item_<id>.<formatExtension>`, with the encoding of
/// names described in ``FileSystemRepository``. The name of a table is encoded like an id. The
/// contents are exactly the bytes of the transformer. A file created by hand, under an encoded name
/// or with the unencoded id, is a record too. The store's own files are in
/// `<directory>/.repository`: the lock, the schema and the write counts.
///
/// When a write returns, its changes are on the disk. Each file is written completely under a
/// temporary name, flushed to the disk, and renamed. A batch, and a delete that cascades to other
/// records, is atomic even if the process ends before it completes. Several stores in several
/// processes can use one folder.
///
/// If the task of a write is cancelled before the write begins, including while it waits for other
/// writers, the write does not happen and throws `CancellationError`. A write that has begun
/// completes.
///
/// The folder may be named by a symbolic link, which is resolved when the store is created. Links
/// inside the folder are not followed: accessing a file through one is an error. The folder may be
/// moved, copied and restored. An interrupted batch is undone in the folder's current location.
///
/// If a write fails and cannot be undone, the error is `outcomeUnknown`. The stored records are
/// then intact, and reading them shows whether the write happened. A list may contain part of a
/// batch that another process is writing. A reset is not atomic, but can be repeated.
public struct FileSystemStore: EntityStoreWrapper, RecordChangingStore {
    /// The document store that performs the operations.
    public let store: any EntityStore
    /// The path of the folder, with all links resolved.
    let root: String
    /// The format of the records.
    let transformer: any DataTransformer
    /// How long a write waits for another process or store.
    let busyTimeout: Duration
    /// How long a write waits for other writers of this store; nil for no limit.
    let writerTimeout: Duration?

    /// Creates a store for a folder. Opening the store creates the folder.
    ///
    /// - Parameters:
    ///   - directory: The folder.
    ///   - transformer: The format of the records.
    ///   - busyTimeout: How long a write waits for another process or store that writes to the
    ///     folder. After that it throws a retryable `databaseError` that names the process.
    ///   - writerTimeout: How long a write or a transaction waits for other writers of this store;
    ///     nil for no limit. After that it throws a retryable `databaseError`.
    public init(
        directory: URL, transformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10), writerTimeout: Duration? = nil
    ) {
        self.init(
            FileDriver(
                root: directory, formatExtension: transformer.formatExtension, providesStamps: true,
                busyTimeout: busyTimeout),
            transformer: transformer, writerTimeout: writerTimeout)
    }

    /// Creates a store for a driver.
    init(
        _ driver: FileDriver, transformer: any DataTransformer, writerTimeout: Duration? = nil
    ) {
        root = driver.layout.root
        self.transformer = transformer
        busyTimeout = driver.busyTimeout
        self.writerTimeout = writerTimeout
        store = DocumentStore(driver, transformer: transformer, writerTimeout: writerTimeout)
    }
}
