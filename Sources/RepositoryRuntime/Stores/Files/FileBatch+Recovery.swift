internal import Foundation

extension FileBatch {
    static func intentPath(_ driver: FileDriver) -> String { driver.layout.ownFolder + "/intent" }

    /// Undoes a batch that a program left half done; the lock is held.
    static func recover(
        _ driver: FileDriver, _ waiting: LockWaiting
    ) throws(FileFailure) {
        let path = intentPath(driver)
        guard let data = try driver.held.contents(of: path) else { return }
        guard let note = IntentNote(data, driver.layout) else {
            // The note is renamed into place whole: other bytes were not written by a store.
            throw FileFailure(operation: "understand", path: path, code: EILSEQ)
        }
        let steps = note.steps
        let batch = try driver.beginBatch(waiting)
        defer { driver.endBatch(batch) }
        try undo(steps, Set(steps.map(\.folder)).sorted(), driver, isRecovery: true)
        try removeIntent(driver)
        for step in steps { try step.forget(driver.held) }
    }

    /// Undoes steps, done or not, and flushes that to the disk.
    static func undo(
        _ steps: [FileStep], _ folders: [String], _ driver: FileDriver, isRecovery: Bool
    ) throws(FileFailure) {
        let files = driver.held
        for step in steps.reversed() { try step.undo(files, isRecovery: isRecovery) }
        for folder in folders {
            // A folder that was removed has no names to flush.
            if !folder.isEmpty, try files.status(of: folder) == nil { continue }
            try files.synchronizeFolder(folder)
        }
    }

    /// Removes the note, durably: what it said has been done, or undone, for good.
    static func removeIntent(_ driver: FileDriver) throws(FileFailure) {
        let files = driver.held
        let intent = intentPath(driver)
        guard try files.status(of: intent) != nil else { return }
        let aside = driver.temporaryPath()
        try files.rename(intent, to: aside)
        do throws(FileFailure) {
            try files.synchronizeFolder(driver.layout.ownFolder)
        } catch {
            // Whether the note is gone from the disk is not known: with it back, undoing can be
            // done again.
            var failure = error
            do throws(FileFailure) {
                try files.rename(aside, to: intent)
            } catch {
                failure.isOutcomeUnknown = true
            }
            throw failure
        }
        // The note has no meaning under this name; it is removed with other temporary files.
        try? driver.nameless.remove(aside, files)
    }
}
