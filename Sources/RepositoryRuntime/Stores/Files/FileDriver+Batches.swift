internal import Foundation

/// A second lock, of `.repository/batches`, is held only while several files take their places: who
/// must see them together waits for that, not for a transaction, which holds the other lock long
/// before it writes.
extension FileDriver {
    private var batchLockPath: String { layout.ownFolder + "/batches" }

    /// Waits until nobody reads between batches, and lets nobody begin; returns what
    /// ``endBatch(_:)`` takes. The lock is held.
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
            // One that goes on waiting needs its file.
            if batchWait == nil { try? operations.close(file, path) }
            throw error
        }
        noteHolder(file)
        return file
    }

    private func wait(
        _ wait: BatchWait, _ waiting: LockWaiting
    ) throws(FileFailure) -> Bool {
        batchWait = wait
        let isTaken = try wait.attempt.wait(waiting, holder: batchHolder)
        batchWait = nil
        return isTaken
    }

    private func noteHolder(_ file: Int32) {
        // It only makes a message better, also on a disk that is full.
        _ = try? LockHolder.bytes.withUnsafeBytes { bytes throws in
            try operations.overwrite(file, batchLockPath, bytes)
        }
    }

    private func batchHolder() -> String? {
        // A holder that cannot be read is one that is not known.
        LockHolder.text((try? files.contents(of: batchLockPath)) ?? nil)
    }

    func endBatch(_ file: Int32) {
        // The lock goes with the descriptor, whatever closing says.
        try? operations.close(file, batchLockPath)
    }

    func betweenBatches<R>(of collection: String, _ body: () throws -> R) throws -> R {
        let waiting = LockWaiting(limit: busyTimeout)
        while true {
            if let result = try readIfWhole(waiting, body) {
                settle(collection)
                return result
            }
            // Whoever takes the lock undoes what the note says.
            if try withLockIfFree({}) == nil {
                if waiting.remaining == nil {
                    throw busy(waiting).error(table: collection)
                }
                usleep(500)
            }
        }
    }

    /// Runs a body while no batch is under way; nil where a program died in the middle of one.
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

    /// Waits for a lock that is held for short times only, so that it may ask again and again.
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

    /// The file of the lock, which one who may only read can lock too. Readers hold it one at a
    /// time: were they to share it, a writer might never find it free. Nil where there is none.
    private func openToRead(_ path: String) throws(FileFailure) -> Int32? {
        do throws(FileFailure) {
            return try files.open(path, .update)
        } catch {
            guard [EACCES, EPERM, EROFS, ENOENT].contains(error.code) else { throw error }
        }
        do throws(FileFailure) {
            return try files.open(path, .read)
        } catch {
            // No batch was ever made here.
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Makes a count even that a program left odd, so that readers need no lock again.
    private func settle(_ collection: String) {
        do {
            guard try FileCounter(collection, layout, read).value() == nil else { return }
            _ = try withLockIfFree {
                let counter = FileCounter(collection, layout, held)
                guard try counter.value() == nil else { return }
                try counter.begin().end()
            }
        } catch {
            // A counter that stays odd only makes others read anew.
        }
    }
}

/// A wait for the lock of batches that goes on after the writer that began it gave up.
struct BatchWait {
    let file: Int32
    let status: FileStatus
    let attempt: LockAttempt
}
