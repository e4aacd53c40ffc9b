internal import Synchronization

/// Closing.
extension DocumentStore {
    /// Closes the store and its driver; see `EntityStore`.
    ///
    /// The driver releases its descriptors and threads when the last write has ended.
    public func close() async throws {
        await life.close {
            changes.finish()
        } releasing: {
            await line.close()
            // Writes that wait for their turn throw, because the store counts as closed.
            await writing.finish { [driver] in driver.close() }
            await reading.finish()
            state.withLock { $0.tables.close() }
            listings.removeAll()
        }
    }
}
