internal import Foundation

/// A second lock, of `.repository/batches`, is held only while several files take their places: who must see them together
/// waits for that, not for a transaction, which holds the other lock long before it writes.
extension FileDriver {
    private var batchLockPath: String { layout.ownFolder + "/batches" }

    /// Waits until nobody reads between batches, and lets nobody begin; returns what ``endBatch(_:)`` takes. The lock is held.
    func beginBatch() throws(FileFailure) -> Int32 {
        let path = batchLockPath
        let file = try operations.open(path, .update)
        do throws(FileFailure) {
            try operations.lock(file, path)
        } catch {
            try? operations.close(file, path)
            throw error
        }
        return file
    }

    func endBatch(_ file: Int32) {
        // The lock goes with the descriptor, whatever closing says.
        try? operations.close(file, batchLockPath)
    }

    func betweenBatches<R>(of collection: String, _ body: () throws -> R) throws -> R {
        while true {
            if let result = try readIfWhole(body) {
                settle(collection)
                return result
            }
            // Whoever takes the lock undoes what the note says.
            if try withLockIfFree({}) == nil { usleep(500) }
        }
    }

    /// Runs a body while no batch is under way; nil where a program died in the middle of one.
    private func readIfWhole<R>(_ body: () throws -> R) throws -> R? {
        let path = batchLockPath
        let file = try filing { () throws(FileFailure) in try openToRead(path) }
        defer { if let file { try? operations.close(file, path) } }
        let isWhole = try filing { () throws(FileFailure) in
            if let file { try operations.lock(file, path) }
            return try operations.status(of: FileBatch.intentPath(self)) == nil
        }
        return isWhole ? try body() : nil
    }

    /// The file of the lock, which one who may only read can lock too. Readers hold it one at a time: were they to share it, a
    /// writer might never find it free. Nil where there is none.
    private func openToRead(_ path: String) throws(FileFailure) -> Int32? {
        do throws(FileFailure) {
            return try operations.open(path, .update)
        } catch {
            guard [EACCES, EPERM, EROFS, ENOENT].contains(error.code) else { throw error }
        }
        do throws(FileFailure) {
            return try operations.open(path, .read)
        } catch {
            // No batch was ever made here.
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Makes a count even that a program left odd, so that readers need no lock again.
    private func settle(_ collection: String) {
        let counter = FileCounter(collection, layout, operations)
        do {
            guard try counter.value() == nil else { return }
            _ = try withLockIfFree {
                guard try counter.value() == nil else { return }
                try counter.begin().end()
            }
        } catch {
            // A counter that stays odd only makes others read anew.
        }
    }
}
