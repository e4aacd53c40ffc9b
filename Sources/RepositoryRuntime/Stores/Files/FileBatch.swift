internal import Foundation

/// A set of file changes that is performed completely or not at all.
///
/// A batch has four phases:
///
/// 1. Write every new document to a temporary file and flush it to the disk. For several changes,
///    also write an intent note that lists the steps.
/// 2. Rename the note to `.repository/intent`.
/// 3. Perform the steps with links and renames, and flush the folders to the disk.
/// 4. Remove the note. From this point on, the batch is committed.
///
/// Several threads flush the files of one phase concurrently. A batch therefore waits for the disk
/// four times, regardless of the number of documents. A single change needs only the first and the
/// third phase.
///
/// A failure in any phase undoes the steps. If the process ends between phases 2 and 4, the next
/// writer undoes the steps in the note. A single change needs no note, because its step is atomic.
///
/// The caller holds the store's lock for the lifetime of a batch.
struct FileBatch {
    /// The driver whose files change.
    let driver: FileDriver
    /// The steps, in the order in which they are performed.
    private let steps: [FileStep]
    /// The new document of each step; nil for a step that removes a document.
    private let contents: [Data?]
    /// The files that store ids too long for a file name: path and id.
    private let ids: [(path: String, text: String)]
    /// The paths of the id files whose documents are removed.
    private let removedIDs: [String]
    /// The folders of all documents, sorted and without duplicates.
    private let folders: [String]
    /// The mode in which new files are opened. It determines their permissions.
    private let mode: FileOpenMode
    /// The temporary path of the intent note; nil for a single step.
    private let note: String?

    /// The files of the writer that holds the lock.
    private var files: StoreFiles { driver.held }

    /// Creates the steps for changes of documents. Writes nothing. The caller holds the store's
    /// lock.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - places: The current location of the document of each change; nil if it does not exist.
    ///   - driver: The driver whose files change.
    init(
        _ changes: [DocumentChange], at places: [FilePlace?], _ driver: FileDriver
    ) throws(FileFailure) {
        self.driver = driver
        var steps: [FileStep] = []
        var contents: [Data?] = []
        var ids: [(path: String, text: String)] = []
        var removedIDs: [String] = []
        var folders: Set<String> = []
        func add(_ kind: FileStep.Kind, _ place: FilePlace, _ data: Data?) {
            steps.append(
                FileStep(
                    kind: kind, path: place.path, temporary: driver.temporaryPath(),
                    backup: driver.temporaryPath()))
            contents.append(data)
            folders.insert(place.folder)
        }
        for (change, old) in zip(changes, places) {
            if let data = change.data {
                let new = try driver.layout.place(change.key, in: change.collection, driver.held)
                let place = old ?? new
                if let path = place.idPath { ids.append((path, change.key)) }
                add(old == nil ? .create : .replace, place, data)
            } else if let old {
                add(.remove, old, nil)
                if let path = old.idPath { removedIDs.append(path) }
                // A second file of the same record, created by hand, would restore the record.
                if let other = try driver.layout.byHand(
                    change.key, in: change.collection, driver.held, mustBeFile: true),
                    other.path != old.path
                {
                    add(.remove, other, nil)
                }
            }
        }
        self.steps = steps
        self.contents = contents
        self.ids = ids
        self.removedIDs = removedIDs
        self.folders = folders.sorted()
        mode = .create
        note = steps.count > 1 ? driver.temporaryPath() : nil
    }

    /// Creates a batch that replaces a single file other than a document. Only its owner may read
    /// the new file.
    init(writing data: Data, to path: String, _ driver: FileDriver) throws(FileFailure) {
        self.driver = driver
        let isThere = try driver.held.status(of: path) != nil
        let step = FileStep(
            kind: isThere ? .replace : .create, path: path, temporary: driver.temporaryPath(),
            backup: driver.temporaryPath())
        steps = [step]
        contents = [data]
        ids = []
        removedIDs = []
        folders = [step.folder]
        mode = .createPrivate
        note = nil
    }

    /// Performs phase 1: writes the temporary files, which no reader sees. On failure, removes
    /// them.
    func prepare() throws(FileFailure) {
        do throws(FileFailure) {
            try writeTemporaries()
        } catch {
            tidy()
            throw error
        }
    }

    /// Performs a prepared single change.
    ///
    /// A change may still need several steps; then they run as a batch.
    ///
    /// - Returns: False if another program, which does not take the lock, created the new file
    ///   first. Nothing has changed then.
    func runSingle() throws(FileFailure) -> Bool {
        if steps.count > 1 {
            try runAll()
            return true
        }
        let left: [String]
        do throws(FileFailure) {
            left = try perform()
        } catch {
            // Report the first failure; a second one only makes the outcome unknown.
            var failure = error
            do throws(FileFailure) {
                try Self.undo(steps, folders, driver, isRecovery: false)
            } catch {
                // Without a note, no later writer can undo the step.
                failure.isOutcomeUnknown = true
            }
            tidy()
            if failure.operation == "link", failure.code == EEXIST, !failure.isOutcomeUnknown {
                return false
            }
            throw failure
        }
        finish(left)
        return true
    }

    /// Performs phases 2 to 4 of a prepared batch. Holds the lock of the batches meanwhile; see
    /// ``FileDriver/beginBatch(_:)``.
    func runAll() throws(FileFailure) {
        if steps.isEmpty { return }
        let batch: Int32
        do throws(FileFailure) {
            batch = try driver.beginBatch(driver.waiting)
        } catch {
            tidy()
            throw error
        }
        defer { driver.endBatch(batch) }
        let left: [String]
        do throws(FileFailure) {
            try nameIntent()
            left = try perform()
            try Self.removeIntent(driver)
        } catch {
            var failure = error
            do throws(FileFailure) {
                try Self.undo(steps, folders, driver, isRecovery: false)
                try Self.removeIntent(driver)
                tidy()
            } catch {
                // The note still exists, so that the next writer undoes the steps. If the note may
                // be lost, the failure is marked as having an unknown outcome.
                throw failure
            }
            failure.isOutcomeUnknown = false
            throw failure
        }
        finish(left)
    }

    /// Writes the id files, the temporary files and the intent note.
    private func writeTemporaries() throws(FileFailure) {
        // The first document of a collection creates its folder. An id file must exist before its
        // document.
        if !ids.isEmpty { for folder in folders { try files.makeFolders(folder) } }
        for (path, text) in ids {
            if let status = try files.status(of: path) {
                try status.checkIsFile(path)
                continue
            }
            let temporary = driver.temporaryPath()
            try files.writeNew(Data(text.utf8), to: temporary)
            try files.rename(temporary, to: path)
        }
        var new = zip(steps, contents).compactMap { step, data in
            data.map { (path: step.temporary, data: $0) }
        }
        if let note { new.append((note, try IntentNote(steps, driver.mark).data(at: note))) }
        try ParallelWrites(files, mode).run(new)
    }

    /// Performs phase 2: renames the note durably. From this point on, any program that finds the
    /// note undoes the batch.
    private func nameIntent() throws(FileFailure) {
        guard let note else { return }
        try files.rename(note, to: Self.intentPath(driver))
        try files.synchronizeFolder(driver.layout.ownFolder)
    }

    /// Performs phase 3: runs the steps and flushes the folders. Returns the files to remove after
    /// the commit.
    private func perform() throws(FileFailure) -> [String] {
        var left: [String] = []
        left.reserveCapacity(steps.count)
        for step in steps { try step.run(files, leaving: &left) }
        try ParallelWrites(files, mode).synchronize(folders)
        return left
    }

    /// Removes the files that are no longer needed after the commit.
    ///
    /// Errors are ignored, as in ``tidy()``: readers do not see these files.
    private func finish(_ left: [String]) {
        // Each step has appended exactly one path.
        for (step, path) in zip(steps, left) {
            if step.kind == .create {
                // The temporary name is a second link; the record keeps the file under its own
                // name.
                try? files.unlinkIfPresent(path)
            } else {
                try? driver.nameless.remove(path, files)
            }
        }
        for path in removedIDs {
            // An id file without a record has no effect.
            try? files.unlinkIfPresent(path)
        }
    }

    /// Removes the files kept for undoing the batch.
    ///
    /// Readers do not see these files. If a removal fails, the next program that takes the lock
    /// removes the file.
    func tidy() {
        for step in steps { try? step.forget(files) }
        if let note { try? files.unlinkIfPresent(note) }
    }
}
