internal import Foundation

/// Undoing batches: after a failure, and after the end of a process that was writing a batch.
extension FileBatch {
    /// The path of the intent note.
    static func intentPath(_ driver: FileDriver) -> String { driver.layout.ownFolder + "/intent" }

    /// Undoes the batch of a process that ended before it committed. Does nothing if there is no
    /// intent note.
    ///
    /// ``FileDriver`` calls it each time it has taken the lock. The call costs one attempt to open
    /// the note.
    ///
    /// - Parameters:
    ///   - driver: The driver, whose lock the caller holds.
    ///   - waiting: The time limit for the lock of the batches.
    /// - Throws: A failure with `EILSEQ` if the note is not valid. Nothing has changed then.
    static func recover(
        _ driver: FileDriver, _ waiting: LockWaiting
    ) throws(FileFailure) {
        let path = intentPath(driver)
        guard let data = try driver.held.contents(of: path) else { return }
        guard let note = IntentNote(data, driver.layout) else {
            // A store renames a complete note into place. Other contents were not written by a
            // store.
            throw FileFailure(operation: "understand", path: path, code: EILSEQ)
        }
        let steps = note.steps
        let batch = try driver.beginBatch(waiting)
        defer { driver.endBatch(batch) }
        try undo(steps, Set(steps.map(\.folder)).sorted(), driver, isRecovery: true)
        try removeIntent(driver)
        for step in steps { try step.forget(driver.held) }
    }

    /// Undoes steps in reverse order, whether performed or not, and flushes the folders to the
    /// disk.
    ///
    /// - Parameters:
    ///   - steps: All steps of the batch.
    ///   - folders: The folders of the documents.
    ///   - driver: The driver, whose lock the caller holds.
    ///   - isRecovery: Whether the process that wrote the batch has ended; see
    ///     ``FileStep/undo(_:isRecovery:)``.
    static func undo(
        _ steps: [FileStep], _ folders: [String], _ driver: FileDriver, isRecovery: Bool
    ) throws(FileFailure) {
        let files = driver.held
        for step in steps.reversed() { try step.undo(files, isRecovery: isRecovery) }
        for folder in folders {
            // A folder that does not exist has no directory entries to flush.
            if !folder.isEmpty, try files.status(of: folder) == nil { continue }
            try files.synchronizeFolder(folder)
        }
    }

    /// Removes the intent note durably, after its steps have been committed or undone.
    ///
    /// The note is first renamed to a temporary path, so that it can be put back if flushing the
    /// folder fails.
    static func removeIntent(_ driver: FileDriver) throws(FileFailure) {
        let files = driver.held
        let intent = intentPath(driver)
        guard try files.status(of: intent) != nil else { return }
        let aside = driver.temporaryPath()
        try files.rename(intent, to: aside)
        do throws(FileFailure) {
            try files.synchronizeFolder(driver.layout.ownFolder)
        } catch {
            // It is unknown whether the note has been removed from the disk. If the rename
            // succeeds, a later writer can undo the batch again.
            var failure = error
            do throws(FileFailure) {
                try files.rename(aside, to: intent)
            } catch {
                failure.isOutcomeUnknown = true
            }
            throw failure
        }
        // A note under a temporary name has no effect. It is removed with the other temporary
        // files.
        try? driver.nameless.remove(aside, files)
    }
}
