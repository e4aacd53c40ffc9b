internal import Foundation

/// A driver whose data can be backed up, restored and compacted.
protocol MaintainedDriver: DocumentDriver {
    /// Writes a backup, which is complete or does not exist.
    ///
    /// - Parameters:
    ///   - url: the place, which must not exist.
    ///   - cancellation: reports whether the task was cancelled.
    ///   - release: called when writers may go on, after the lock was released.
    /// - Throws: `databaseError`, `CancellationError`.
    func backUp(
        to url: URL, _ cancellation: CancellationFlag, _ release: () -> Void
    ) throws
    /// Throws unless nothing is stored. The caller holds the lock.
    ///
    /// - Parameter isRepeated: whether a restore was interrupted. Its data is removed then.
    /// - Throws: `storeNotEmpty`.
    func requireEmpty(isRepeated: Bool) throws
    /// Verifies a backup.
    ///
    /// - Throws: `invalidBackup`.
    func verifyBackup(at url: URL, _ cancellation: CancellationFlag) throws
    /// Copies a verified backup into the empty store. The caller holds the lock.
    func restore(from url: URL, _ cancellation: CancellationFlag) throws
    /// Removes what killed processes left. The caller holds the lock.
    func compact() throws
}
