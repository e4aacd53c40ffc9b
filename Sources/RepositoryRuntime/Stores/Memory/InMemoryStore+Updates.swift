internal import Synchronization

extension InMemoryStore: RecordChangingStore {
    /// Changes all entities that match a query. No one else can write in the meantime: the method
    /// holds the writer lock from the query to the commit.
    ///
    /// The changes are computed without the mutex of `tables`, so that they do not block readers.
    ///
    /// - Parameters:
    ///   - query: selects the entities to change.
    ///   - change: returns the new entity. If it throws, nothing is changed.
    /// - Returns: The number of changed entities.
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
                // All records were found, and none was deleted since, because this task holds the
                // writer lock.
                let table = try tables.table(E.self)
                for entity in changed { _ = try write.replace(entity, table) }
                return changed.count
            } apply: {
            }
        }
    }

    /// Changes the entity with an id. No one else can write in the meantime.
    ///
    /// - Returns: true.
    /// - Throws: `recordNotFound`; the error of the closure.
    package func change<E: Entity>(
        _ type: E.Type, id: E.ID, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Bool {
        try await line.take()
        defer { line.leave() }
        let changed = try change(await read(type, id: id))
        try tables.withLock { tables in
            try tables.write(telling: changes) {
                _ = try $0.update(changed)
            } apply: {
            }
        }
        return true
    }
}
