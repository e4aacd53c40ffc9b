internal import Synchronization

extension DocumentStore {
    /// Returns the records that the stored search index finds.
    ///
    /// Reads without a lock first, like a scan of a declared index. If the index does not match the
    /// records, takes the lock and repairs it.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        guard !E.Mapper.table.searchedFields.isEmpty else { return nil }
        let table = E.Mapper.table.name
        let read: SearchHits? = try await readingRecords(of: E.Mapper.table) { [self] in
            for _ in 0..<Self.quietTries {
                guard let quiet = try quietState(table),
                    let hits = try state.withLock({ try found(type, query, $0, quiet.stamp) })
                else { continue }
                if try holds(quiet, table) { return hits }
            }
            // Acquire the mutex before the lock of the batches, in the same order as a write.
            return try state.withLock { state in
                try driver.withConsistentReads(of: table) { try found(type, query, state) }
            }
        }
        if let read { return read }
        return try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            return try state.withLock { state in
                let table = try state.tables.table(type).committed
                try table.refreshIndexes()
                return try table.repairing { try table.search(query) }
            }
        }
    }

    /// Returns the records that the index finds; nil if it does not match the records or if another
    /// process has written.
    private func found<E: Entity>(
        _ type: E.Type, _ query: SearchQuery, _ state: State, _ stamp: DocumentStamp? = nil
    ) throws -> SearchHits? {
        let table = try state.tables.table(type).committed
        return try table.indexes?.read(stamp) { try table.search(query) } ?? nil
    }
}
