internal import Foundation

/// The second lock, `.repository/batches`.
///
/// A writer holds it only while it renames several files to their final names. A reader that must
/// see these files together waits for this lock, not for that of a transaction, which takes the
/// other lock long before it writes.
extension FileDriver {
    /// The path of the lock file relative to the root.
    private var batchLockPath: String { layout.ownFolder + "/batches" }

    /// Waits for readers that hold the lock of the batches, and keeps new ones out. The caller
    /// holds the store's lock.
    ///
    /// - Parameter waiting: The time limit, which restarts for this lock.
    /// - Returns: The descriptor to pass to ``endBatch(_:)``.
    /// - Throws: A failure with `ECANCELED` or a ``BusyLock`` if the wait ended without the lock.
    func beginBatch(_ waiting: LockWaiting) throws(FileFailure) -> Int32 {
        let path = batchLockPath
        let waiting = waiting.restarted
        if let wait = batchWait {
            batchWait = nil
            let isCurrent = try held.status(of: path)?.isFile(of: wait.status) ?? false
            if isCurrent, wait.attempt.isWaiting {
                if try self.wait(wait, waiting) { return wait.file }
            }
            wait.attempt.closeFile()
        }
        let file = try held.open(path, .update)
        do throws(FileFailure) {
            while try !operations.tryLock(file, path) {
                let wait = BatchWait(
                    file: file, status: try operations.status(ofOpen: file, path),
                    attempt: LockAttempt(file, path, operations))
                if try self.wait(wait, waiting) { break }
            }
        } catch {
            // A wait that is still in progress needs its file.
            if batchWait == nil { try? operations.close(file, path) }
            throw error
        }
        noteHolder(file)
        return file
    }

    /// Waits for the lock of the batches. If the wait is given up, `batchWait` keeps it for the
    /// next writer.
    private func wait(
        _ wait: BatchWait, _ waiting: LockWaiting
    ) throws(FileFailure) -> Bool {
        batchWait = wait
        let isTaken = try wait.attempt.wait(waiting, holder: batchHolder)
        batchWait = nil
        return isTaken
    }

    /// Writes the description of this process into the lock file.
    private func noteHolder(_ file: Int32) {
        // The description only improves an error message. A failure, for example on a full disk, is
        // ignored.
        _ = try? LockHolder.bytes.withUnsafeBytes { bytes throws in
            try operations.overwrite(file, batchLockPath, bytes)
        }
    }

    /// Returns the description of the process that took the lock of the batches last.
    private func batchHolder() -> String? {
        // If the description cannot be read, the holder is unknown.
        LockHolder.text((try? files.contents(of: batchLockPath)) ?? nil)
    }

    /// Releases the lock of the batches.
    func endBatch(_ file: Int32) {
        // Closing the descriptor releases the lock, even if `close` reports an error.
        try? operations.close(file, batchLockPath)
    }

    /// Holds the lock of the batches while the body runs.
    ///
    /// If a process ended during a batch, the method first takes the store's lock, which undoes the
    /// batch. While another writer holds that lock, it tries again every 0.5 milliseconds until the
    /// time limit.
    func withConsistentReads<R>(of collection: String, _ body: () throws -> R) throws -> R {
        let waiting = LockWaiting(limit: busyTimeout)
        while true {
            if let result = try readIfWhole(waiting, body) {
                settle(collection)
                return result
            }
            // Taking the lock undoes the unfinished batch.
            if try withLockIfFree({}) == nil {
                if waiting.remaining == nil {
                    throw busy(waiting).error(table: collection)
                }
                usleep(500)
            }
        }
    }

    /// Runs a body while no batch is being written.
    ///
    /// - Returns: Nil, without running the body, if a process ended during a batch that has not
    ///   been undone.
    private func readIfWhole<R>(
        _ waiting: LockWaiting, _ body: () throws -> R
    ) throws -> R? {
        let path = batchLockPath
        let file = try filing { () throws(FileFailure) in try openToRead(path) }
        defer { if let file { try? operations.close(file, path) } }
        let isWhole = try filing { () throws(FileFailure) in
            if let file { try waitFor(file, path, waiting) }
            return try files.status(of: FileBatch.intentPath(self)) == nil
        }
        return isWhole ? try body() : nil
    }

    /// Waits for a lock that is held only for short periods, by polling it every 0.1 to 5
    /// milliseconds.
    private func waitFor(
        _ file: Int32, _ path: String, _ waiting: LockWaiting
    ) throws(FileFailure) {
        var pause: UInt32 = 100
        while try !operations.tryLock(file, path) {
            if waiting.remaining == nil { throw waiting.busy(path, holder: batchHolder()) }
            usleep(pause)
            pause = min(2 * pause, 5_000)
        }
    }

    /// Opens the lock file, also for a process that may only read the folder. Returns nil if the
    /// file does not exist.
    ///
    /// Readers take the lock exclusively. If they shared it, a writer might never find it free.
    private func openToRead(_ path: String) throws(FileFailure) -> Int32? {
        do throws(FileFailure) {
            return try files.open(path, .update)
        } catch {
            guard [EACCES, EPERM, EROFS, ENOENT].contains(error.code) else { throw error }
        }
        do throws(FileFailure) {
            return try files.open(path, .read)
        } catch {
            // Without the file, no batch has ever been written here.
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Makes a count even that a process left odd when it ended, so that readers no longer need the
    /// lock.
    private func settle(_ collection: String) {
        do {
            guard try FileCounter(collection, layout, read).value() == nil else { return }
            _ = try withLockIfFree {
                let counter = FileCounter(collection, layout, held)
                guard try counter.value() == nil else { return }
                try counter.begin().end()
            }
        } catch {
            // If the count stays odd, readers only repeat their reads.
        }
    }
}

/// A wait for the lock of the batches that continues after its writer gave up.
struct BatchWait {
    /// The open lock file.
    let file: Int32
    /// The status of the lock file when the wait began. It shows whether the file has been
    /// replaced.
    let status: FileStatus
    /// The thread that waits for the lock.
    let attempt: LockAttempt
}
