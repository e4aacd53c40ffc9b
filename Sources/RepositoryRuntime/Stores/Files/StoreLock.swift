internal import Foundation

/// The lock `.repository/lock`, which keeps the writers of all processes apart.
///
/// The folders and the file of the lock stay open between writes. After the lock is taken it is
/// compared with what has its name at that moment: another program may have moved, removed or
/// replaced the folder or the file since, and then others lock another file. Only the thread that
/// holds the driver's own lock comes here.
final class StoreLock {
    private let files: StoreFiles
    private let layout: FileLayout
    private let operations: any FileOperations
    let path: String

    /// What is open, and what it was when it was opened.
    private struct Opened {
        var file: Int32
        var lock: FileStatus
        var folder: FileStatus
    }

    private var opened: Opened?
    private var attempt: LockAttempt?

    init(_ files: StoreFiles, _ layout: FileLayout) {
        self.files = files
        self.layout = layout
        operations = files.operations
        path = layout.ownFolder + "/lock"
    }

    deinit { close() }

    /// Takes the lock; false where another program holds it and the caller does not wait.
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
            // Otherwise what was open was not the lock any more, or another thread has just let it
            // go.
            if let waiting, waiting.isCancelled { throw LockWaiting.cancelled(path) }
        }
        // The file is replaced all the time, or its file system numbers one file differently each
        // time.
        throw FileFailure(operation: "lock", path: path, code: ESTALE)
    }

    /// How often a lock that has been replaced is opened again.
    private static let tries = 1_000

    private func take(_ lock: Opened, _ waiting: LockWaiting?) throws(FileFailure) -> Bool {
        if attempt?.isWaiting != true {
            attempt = nil
            if try operations.tryLock(lock.file, path) { return true }
        }
        // A lock that was removed and made again, perhaps because its holder did not let it go, is
        // no reason to wait.
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
            // Closing the file releases the lock in any case.
            close()
        }
    }

    /// Whether the names of the folder and of the file are still those of what is open.
    private func isCurrent(_ lock: Opened) throws(FileFailure) -> Bool {
        guard let folder = try files.statusInRoot(of: layout.ownFolder),
            folder.isFile(of: lock.folder), let file = try files.status(of: path)
        else { return false }
        return file.isFile(of: lock.lock)
    }

    /// The same; where it is not, or cannot be known, what is open is closed and with it the lock
    /// released.
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

    private func openedOrOpen() throws(FileFailure) -> Opened {
        if let opened { return opened }
        files.closeFolders(keeping: [])
        let file = try openFile()
        do throws(FileFailure) {
            let lock = try operations.status(ofOpen: file, path)
            if lock.kind != .file {
                throw FileFailure(operation: "lock", path: path, code: EINVAL)
            }
            guard let folder = try files.keptFolder(layout.ownFolder) else {
                throw FileFailure(operation: "open", path: layout.ownFolder, code: EMFILE)
            }
            let new = Opened(
                file: file, lock: lock,
                folder: try operations.status(ofOpen: folder, layout.ownFolder))
            opened = new
            return new
        } catch {
            // The first failure is the one to report.
            try? operations.close(file, path)
            throw error
        }
    }

    private func openFile() throws(FileFailure) -> Int32 {
        do throws(FileFailure) {
            return try files.open(path, .update)
        } catch {
            if error.code != ENOENT { throw error }
            try files.makeFolders(layout.ownFolder)
            return try files.open(path, .update)
        }
    }

    /// Closes everything; the lock goes with its file.
    func close() {
        files.closeFolders(keeping: [])
        guard let lock = opened else { return }
        opened = nil
        if let attempt {
            attempt.closeFile()
            self.attempt = nil
        } else {
            // The descriptor is gone whatever closing reports.
            try? operations.close(lock.file, path)
        }
    }

    private func noteHolder(_ lock: Opened) {
        // It only makes a message better, also on a disk that is full.
        _ = try? LockHolder.bytes.withUnsafeBytes { bytes throws in
            try operations.overwrite(lock.file, path, bytes)
        }
    }

    private func holder() -> String? {
        // A holder that cannot be read is one that is not known.
        LockHolder.text((try? files.contents(of: path)) ?? nil)
    }
}
