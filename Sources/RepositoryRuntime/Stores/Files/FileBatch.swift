internal import Foundation

/// Changes of files that happen all or not at all.
///
/// 1. Every new document is written to a temporary file and forced to the disk; for several changes
/// also a note of the steps.
/// 2. The note gets its name, `.repository/intent`.
/// 3. The steps are done, by links and renames, and the folders forced to the disk.
/// 4. The note is taken away: from here on the batch has happened.
///
/// What is forced to the disk in one of the four is forced there at once, by several threads: a
/// batch costs four such waits, however many documents it changes. One change alone needs the first
/// and the third.
///
/// A failure at any point undoes the steps. A program that died between 2 and 4 is made good by the
/// next writer, which undoes what the note says. One change alone needs no note, because its step
/// is atomic by itself.
struct FileBatch {
    let driver: FileDriver
    private let steps: [FileStep]
    private let contents: [Data?]
    private let ids: [(path: String, text: String)]
    private let removedIDs: [String]
    private let folders: [String]
    private let mode: FileOpenMode
    /// Where the note of several steps is written before it gets its name; nil for one step.
    private let note: String?

    private var files: StoreFiles { driver.held }

    /// Plans changes; the lock is held.
    ///
    /// - Parameter places: where the documents of the changes are; nil for those that are not
    ///   there.
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
                // A second file of the record, written by hand, would bring it back.
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

    /// Plans the replacement of one file that is no document, which only its owner may read.
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

    /// Writes what nobody sees yet; what it left is gone again when it fails.
    func prepare() throws(FileFailure) {
        do throws(FileFailure) {
            try writeTemporaries()
        } catch {
            tidy()
            throw error
        }
    }

    /// Does a single change that was prepared; false when another program took the new name first.
    func runSingle() throws(FileFailure) -> Bool {
        if steps.count > 1 {
            try runAll()
            return true
        }
        let left: [String]
        do throws(FileFailure) {
            left = try perform()
        } catch {
            // The first failure is the one to report.
            var failure = error
            do throws(FileFailure) {
                try Self.undo(steps, folders, driver, isRecovery: false)
            } catch {
                // Without a note nobody will undo it later.
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

    /// Does all changes, which were prepared.
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
                // The note is still there, and the next writer undoes what it says; unless the note
                // was lost on its way.
                throw failure
            }
            failure.isOutcomeUnknown = false
            throw failure
        }
        finish(left)
    }

    private func writeTemporaries() throws(FileFailure) {
        // The first document of a folder makes it; what stands for an id comes before that.
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

    /// Gives the note its name, durably: from here on whoever finds it undoes what it says.
    private func nameIntent() throws(FileFailure) {
        guard let note else { return }
        try files.rename(note, to: Self.intentPath(driver))
        try files.synchronizeFolder(driver.layout.ownFolder)
    }

    /// Does the steps and forces them to the disk; returns what is then left to be removed.
    private func perform() throws(FileFailure) -> [String] {
        var left: [String] = []
        left.reserveCapacity(steps.count)
        for step in steps { try step.run(files, leaving: &left) }
        try ParallelWrites(files, mode).synchronize(folders)
        return left
    }

    private func finish(_ left: [String]) {
        // As for ``tidy()``.
        for (step, path) in zip(steps, left) {
            if step.kind == .create {
                // The record has the file under its own name.
                try? files.unlinkIfPresent(path)
            } else {
                try? driver.nameless.remove(path, files)
            }
        }
        for path in removedIDs {
            // An id without its record harms nobody.
            try? files.unlinkIfPresent(path)
        }
    }

    /// Removes what was kept for undoing. It changes nothing that a reader sees; what fails is left
    /// to the next program.
    func tidy() {
        for step in steps { try? step.forget(files) }
        if let note { try? files.unlinkIfPresent(note) }
    }
}
