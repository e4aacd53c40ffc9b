internal import Foundation

/// A driver that supports what programs can ask of a migration: the check of the disk space, a copy
/// of the data, and the error `migrating` for other processes.
protocol MigratingDriver: DocumentDriver {
    /// A path on the volume of the documents, which may not exist yet.
    var volumePath: String { get }
    /// Sets or removes the mark that a migration holds the lock. The caller holds the lock.
    ///
    /// A process that waits for the lock until its time limit then throws `migrating`. The mark has
    /// no meaning after the lock was released.
    func markMigration(_ isRunning: Bool)
    /// Copies all data of the store to a new place. The caller holds the lock.
    ///
    /// - Parameters:
    ///   - url: the place, which must not exist.
    ///   - check: throws to cancel the copy.
    /// - Throws: `databaseError`; the error of `check`.
    func copy(to url: URL, _ check: () throws -> Void) throws
}

/// Writes a copy of data under a temporary name, and gives it its name when it is complete.
enum WholeCopy {
    /// Runs a body that writes a file or folder.
    ///
    /// - Parameters:
    ///   - url: the name, which must not exist.
    ///   - write: writes to the given path and syncs it.
    /// - Throws: `databaseError` if the name exists; the error of `write`.
    static func write(to url: URL, _ write: (String) throws -> Void) throws {
        let path = url.standardizedFileURL.path
        let unfinished = path + ".unfinished"
        let manager = FileManager.default
        guard !manager.fileExists(atPath: path) else {
            throw DiskSync.failure("The data cannot be copied to '\(path)'", EEXIST)
        }
        do {
            // What a process left that ended during a copy.
            if manager.fileExists(atPath: unfinished) { try manager.removeItem(atPath: unfinished) }
            try write(unfinished)
            // A file that was created in the meantime is replaced; a folder is not.
            guard !manager.fileExists(atPath: path), rename(unfinished, path) == 0 else {
                throw DiskSync.failure("The data cannot be copied to '\(path)'", EEXIST)
            }
            try DiskSync.folder(of: path)
        } catch {
            // The first error is the one to report; the next copy removes what is left.
            try? manager.removeItem(atPath: unfinished)
            if error is CRUDRepositoryError || error is CancellationError { throw error }
            throw CRUDRepositoryError(
                .databaseError, "The data cannot be copied to '\(path)'. Nothing was changed.",
                underlyingError: error)
        }
    }
}
