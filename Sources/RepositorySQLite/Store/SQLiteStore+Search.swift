public import RepositoryRuntime

extension SQLiteTransaction {
    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        try await searchIndex(type, query)
    }
}

extension SQLiteSnapshot {
    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        try await searchIndex(type, query)
    }
}

extension SQLiteStore {
    /// Returns the records that the search index finds. If many records have changed since they
    /// were indexed, indexes them first.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? {
        let table = try plans.plan(E.Mapper.table.name).table
        guard let index = SQLiteSearchIndex(table) else { return nil }
        // A search must not wait for a writer because of a few changes: it reads those records.
        if let hits = try await searchIndex(type, query) { return hits }
        try await indexChanges(type, index)
        return try await searchIndex(type, query)
    }

    /// Indexes the records that have changed, unless the index was built for another definition.
    private func indexChanges<E: Entity>(_ type: E.Type, _ index: SQLiteSearchIndex) async throws {
        let plans = plans
        do {
            var goesOn = true
            while goesOn {
                try Task.checkCancellation()
                goesOn = try await database.write(.batch) { connection in
                    guard try connection.searchDefinition(of: index) == index.definition else {
                        return false
                    }
                    return try SQLiteSearchUpkeep<E>(index, connection, plans).run()
                }
            }
        } catch is SQLiteError {
            // The database is locked, full or read-only. The search then reads every record, and a
            // later search builds the index.
            return
        }
    }
}
