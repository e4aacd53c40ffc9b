internal import Synchronization

extension InMemoryStore {
    /// Changes every entity that a query asks for, while nobody else writes.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await line.take()
        defer { line.leave() }
        var run = try QueryRun(query, self)
        let changed = try await run.collect(\.entity).map(change)
        try Task.checkCancellation()
        return try tables.withLock { tables in
            try tables.write(telling: changes) { write in
                // All of them were found, and nobody has deleted one since.
                let table = try tables.table(E.self)
                for entity in changed { _ = try write.replace(entity, table) }
                return changed.count
            } apply: {
            }
        }
    }
}
