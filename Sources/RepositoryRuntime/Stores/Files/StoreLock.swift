internal import Foundation

/// The lock `.repository/lock`, which serializes the writers of all processes.
///
/// The folder and the file of the lock stay open between writes. After taking the lock, the class
/// compares the open file with the file that has the name at that moment. Another program may have
/// moved, removed or replaced the folder or the file in the meantime, and other processes then lock
/// another file.
///
/// Not thread-safe: only the thread that holds the `threads` lock of ``FileDriver`` uses an
/// instance.
final class StoreLock {
    /// The files of the writer, which keep folders open.
    private let files: StoreFiles
    private let layout: FileLayout
    private let operations: any FileOperations
    /// The path of the lock file relative to the root.
    let path: String

    /// The open lock file, and the status of file and folder at the time of opening.
    private struct Opened {
        var file: Int32
        var lock: FileStatus
        var folder: FileStatus
    }

    /// The open files; nil before the first use and after ``close()``.
    private var opened: Opened?
    /// A wait that an earlier caller gave up and that is still in progress.
    private var attempt: LockAttempt?

    /// Creates the lock of a store; opens no files.
    init(_ files: StoreFiles, _ layout: FileLayout) {
        self.files = files
        self.layout = layout
        operations = files.operations
        path = layout.ownFolder + "/lock"
    }

    deinit { close() }

    /// Takes the lock.
    ///
    /// - Parameter waiting: The time limit; nil to return immediately if another process holds the
    ///   lock.
    /// - Returns: False if another process holds the lock and `waiting` is nil.
    /// - Throws: A failure with `ECANCELED` or a ``BusyLock`` if the wait ended without the lock.
    func take(_ waiting: LockWaiting?) throws(FileFailure) -> Bool {
        for _ in 0..<Self.tries {
            let lock = try openedOrOpen()
            if try take(lock, waiting) {
                if try isCurrentOrClosed(lock) {
                    noteHolder(lock)
                    return true
                }
            } else if waiting == nil, opened != nil {
                return false
            }
            // Otherwise the open file is no longer the lock, or an abandoned wait has just released
            // the lock.
            if let waiting, waiting.isCancelled { throw LockWaiting.cancelled(path) }
        }
        // Either the file is replaced all the time, or its file system reports another number for
        // the same file each time.
        throw FileFailure(operation: "lock", path: path, code: ESTALE)
    }

    /// How often the lock is opened again after it has been replaced.
    private static let tries = 1_000

    /// Takes the lock of the open file. Returns false if the caller has to check or reopen the file
    /// and try again, or if it does not wait.
    private func take(_ lock: Opened, _ waiting: LockWaiting?) throws(FileFailure) -> Bool {
        if attempt?.isWaiting != true {
            attempt = nil
            if try operations.tryLock(lock.file, path) { return true }
        }
        // If the lock file was removed and created again, perhaps because its holder did not
        // release the lock, waiting for the old file is useless.
        guard try isCurrentOrClosed(lock) else { return false }
        guard let waiting else { return false }
        let attempt = attempt ?? LockAttempt(lock.file, path, operations)
        self.attempt = attempt
        let isTaken = try attempt.wait(waiting, holder: holder)
        self.attempt = nil
        return isTaken
    }

    /// Releases the lock.
    func release() {
        guard let opened else { return }
        do throws(FileFailure) {
            try operations.unlock(opened.file, path)
        } catch {
            // Closing the file releases the lock even if `unlock` failed.
            close()
        }
    }

    /// Returns whether the lock that was taken still has its name.
    func isInPlace() throws(FileFailure) -> Bool {
        guard let opened else { return false }
        return try isCurrent(opened)
    }

    /// Returns whether the open folder and file still have their names.
    private func isCurrent(_ lock: Opened) throws(FileFailure) -> Bool {
        guard let folder = try files.statusInRoot(of: layout.ownFolder),
            folder.isFile(of: lock.folder), let file = try files.status(of: path)
        else { return false }
        return file.isFile(of: lock.lock)
    }

    /// Returns whether the open folder and file still have their names. If not, or if that cannot
    /// be determined, closes them, which releases the lock.
    private func isCurrentOrClosed(_ lock: Opened) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            if try isCurrent(lock) { return true }
        } catch {
            close()
            throw error
        }
        close()
        return false
    }

    /// Returns the open lock file, and opens it if necessary.
    private func openedOrOpen() throws(FileFailure) -> Opened {
        if let opened { return opened }
        files.closeFolders(keeping: [])
        let file = try openFile()
        do throws(FileFailure) {
            let lock = try operations.status(ofOpen: file, path)
            if lock.kind != .file {
                throw FileFailure(operation: "lock", path: path, code: EINVAL)
            }
            let own = layout.ownFolder
            guard let folder = try files.keptFolder(of: own, first: own.utf8.count) else {
                throw FileFailure(operation: "open", path: layout.ownFolder, code: EMFILE)
            }
            let new = Opened(
                file: file, lock: lock,
                folder: try operations.status(ofOpen: folder, layout.ownFolder))
            opened = new
            return new
        } catch {
            // The first failure is the cause; an error from `close` would hide it.
            try? operations.close(file, path)
            throw error
        }
    }

    /// Opens the lock file, and creates it and its folder if necessary.
    private func openFile() throws(FileFailure) -> Int32 {
        do throws(FileFailure) {
            return try files.open(path, .update)
        } catch {
            if error.code != ENOENT { throw error }
            try files.makeFolders(layout.ownFolder)
            return try files.open(path, .update)
        }
    }

    /// Closes the files, which releases the lock.
    func close() {
        files.closeFolders(keeping: [])
        guard let lock = opened else { return }
        opened = nil
        if let attempt {
            attempt.closeFile()
            self.attempt = nil
        } else {
            // The descriptor is invalid after `close`, even if `close` reports an error.
            try? operations.close(lock.file, path)
        }
    }

    /// Writes into the lock file whether this process, which holds the lock, migrates the data.
    func noteHolder(isMigrating: Bool) {
        if let opened { noteHolder(opened, isMigrating: isMigrating) }
    }

    /// Writes the description of this process into the lock file.
    private func noteHolder(_ lock: Opened, isMigrating: Bool = false) {
        // The description only improves an error message. A failure, for example on a full disk, is
        // ignored.
        let bytes = isMigrating ? LockHolder.migratingBytes : LockHolder.bytes
        _ = try? bytes.withUnsafeBytes { bytes throws in
            try operations.overwrite(lock.file, path, bytes)
        }
    }

    /// Returns the description of the process that took the lock last.
    private func holder() -> String? {
        // If the description cannot be read, the holder is unknown.
        LockHolder.text((try? files.contents(of: path)) ?? nil)
    }
}
