internal import Synchronization

extension InMemoryStore {
    /// Has nothing to rebuild: the indexes cannot differ from the records.
    ///
    /// - Throws: `storeClosed`.
    public func rebuildIndexes() async throws { try life.check() }

    /// Has nothing to release.
    ///
    /// - Throws: `storeClosed`.
    public func compact() async throws { try life.check() }

    /// Closes the store and releases its records; see `EntityStore`.
    public func close() async throws {
        await life.close {
            changes.finish()
            tables.withLock { $0.refusesReads = true }
        } releasing: {
            await line.close()
            tables.withLock { $0.close() }
        }
    }
}
