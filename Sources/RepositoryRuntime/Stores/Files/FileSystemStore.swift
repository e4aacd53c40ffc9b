public import Foundation

/// Keeps entities as files: a folder for each table, in it a file for each record, exactly the
/// transformer's bytes.
///
/// A record is `<directory>/<table>/item_<id>.<formatExtension>`, with the names of
/// ``FileSystemRepository``; a table's name is written like an id. A file put there by hand, under
/// such a name or with the id as it stands, is a record. The store's own files lie in
/// `<directory>/.repository`: the lock, the schema, counts of writes.
///
/// What returned is on the disk: each file is written whole beside its place, forced to the disk
/// and renamed. A batch, or a delete that takes other records along, happens whole or not at all,
/// also when the program dies. Several stores in several processes may use one folder.
///
/// A write whose task is cancelled before it began, also while it waits for others, does not happen
/// and throws `CancellationError`; one that has begun is finished.
///
/// The folder may be named by a symbolic link, which is resolved when the store is made. No link
/// inside the folder is followed: what is reached through one is an error. The folder may be moved,
/// copied and restored: a batch that was cut off is undone where the folder lies now.
///
/// When a write fails and cannot be taken back either, the error is `outcomeUnknown`: what is
/// stored is whole, and reading tells which. A list may see part of a batch that another process is
/// writing. A reset is not atomic, but can be done again.
public struct FileSystemStore: EntityStoreWrapper {
    /// The store of documents that does the work.
    public let store: any EntityStore

    /// Makes a store over a folder, which is made when the store is opened.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - transformer: the format of the records.
    ///   - busyTimeout: how long a write waits for another process or store that writes to the
    ///     folder, before it throws a `databaseError` that can be retried and names the process.
    public init(
        directory: URL, transformer: any DataTransformer = JSONDataTransformer(),
        busyTimeout: Duration = .seconds(10)
    ) {
        self.init(
            FileDriver(
                root: directory, formatExtension: transformer.formatExtension, keepsStamps: true,
                busyTimeout: busyTimeout),
            transformer: transformer)
    }

    init(_ driver: FileDriver, transformer: any DataTransformer) {
        store = DocumentStore(driver, transformer: transformer)
    }
}
