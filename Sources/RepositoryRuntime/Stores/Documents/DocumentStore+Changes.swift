internal import Synchronization

extension DocumentStore {
    /// A value that differs after every commit, by this process or another; nil where the driver keeps no stamps.
    public func externalState() async throws -> UInt64? {
        guard driver.keepsStamps else { return nil }
        return try await reading.run { [self] in
            var hasher = Hasher()
            for table in state.withLock({ $0.tables.names.sorted() }) {
                hasher.combine(table)
                // While a write is under way there is none: that is a state of its own.
                hasher.combine(try driver.stamp(of: table))
            }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }
}
