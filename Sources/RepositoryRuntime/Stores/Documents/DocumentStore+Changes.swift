internal import Synchronization

/// Detection of changes.
extension DocumentStore {
    /// Returns a value that differs after every commit, by this process or another one; nil during a
    /// write. Cost: one stamp per opened table.
    public func changeState() async throws -> UInt64? {
        guard driver.providesStamps else {
            throw CRUDRepositoryError.unsupported("the state of its changes", by: name)
        }
        return try await reading.run { [self] in
            var hasher = Hasher()
            for table in state.withLock({ $0.tables.names.sorted() }) {
                guard let stamp = try driver.stamp(of: table) else { return nil }
                hasher.combine(table)
                hasher.combine(stamp)
            }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    /// Returns a value that differs after every commit, by this process or another one. Returns nil
    /// if the driver keeps no stamps.
    ///
    /// The value is valid only in this process. Cost: one stamp per opened table.
    public func externalState() async throws -> UInt64? {
        guard driver.providesStamps else { return nil }
        return try await reading.run { [self] in
            var hasher = Hasher()
            for table in state.withLock({ $0.tables.names.sorted() }) {
                hasher.combine(table)
                // During a write, a table has no stamp. That counts as a separate state.
                hasher.combine(try driver.stamp(of: table))
            }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }
}
