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
