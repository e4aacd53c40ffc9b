internal import RepositoryRuntime

extension SQLiteEntityStore {
    /// Returns the records that the search index of a table finds. Records that have changed since
    /// they were indexed are read.
    func searchIndex<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        let table = try plans.plan(E.Mapper.table.name).table
        guard let index = SQLiteSearchIndex(table) else { return nil }
        let name = E.Mapper.table.name
        return try await SQLiteErrors.mapped(table: name) {
            try await access.scan { connection in
                try SQLiteSearchReader<E>(index, connection, query).run()
            }
        }
    }
}
