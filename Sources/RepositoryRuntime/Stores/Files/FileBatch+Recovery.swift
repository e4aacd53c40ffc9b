internal import Foundation

extension FileBatch {
    static func intentPath(_ driver: FileDriver) -> String { driver.layout.ownFolder + "/intent" }

    /// Undoes a batch that a program left half done; the lock is held.
    static func recover(_ driver: FileDriver) throws(FileFailure) {
        guard let data = try driver.operations.contents(of: intentPath(driver)) else { return }
        let steps: [FileStep]
        do {
            steps = try JSONDecoder().decode([FileStep].self, from: data)
        } catch {
            // The note is renamed into place whole: other bytes were not written by a store.
            throw FileFailure(operation: "understand", path: intentPath(driver), code: EILSEQ)
        }
        let batch = try driver.beginBatch()
        defer { driver.endBatch(batch) }
        try undo(steps, Set(steps.map(\.folder)).sorted(), driver)
        try removeIntent(driver)
        for step in steps { try step.forget(driver.operations) }
    }

    /// Undoes steps, done or not, and forces that to the disk.
    static func undo(
        _ steps: [FileStep], _ folders: [String], _ driver: FileDriver
    ) throws(FileFailure) {
        for step in steps.reversed() { try step.undo(driver.operations) }
        for folder in folders where try driver.operations.status(of: folder) != nil {
            try driver.operations.synchronizeFolder(folder)
        }
    }

    /// The bytes of the note that says what is about to be done.
    static func intent(_ steps: [FileStep], at path: String) throws(FileFailure) -> Data {
        do {
            return try JSONEncoder().encode(steps)
        } catch {
            throw FileFailure(operation: "describe", path: path, code: EINVAL)
        }
    }

    /// Takes the note away, durably: what it said has been done, or undone, for good.
    static func removeIntent(_ driver: FileDriver) throws(FileFailure) {
        let intent = intentPath(driver)
        guard try driver.operations.status(of: intent) != nil else { return }
        let aside = driver.temporaryPath()
        try driver.operations.rename(intent, to: aside)
        do throws(FileFailure) {
            try driver.operations.synchronizeFolder(driver.layout.ownFolder)
        } catch {
            // Whether the note is gone from the disk is not known: with it back, undoing can be done again.
            var failure = error
            do throws(FileFailure) {
                try driver.operations.rename(aside, to: intent)
            } catch {
                failure.isOutcomeUnknown = true
            }
            throw failure
        }
        try? driver.nameless.remove(aside)
    }
}
