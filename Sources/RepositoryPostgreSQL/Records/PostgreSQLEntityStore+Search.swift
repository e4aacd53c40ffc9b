#if PostgreSQL
    internal import RepositoryRuntime

    extension PostgreSQLEntityStore {
        /// Returns the records that the search index of a table finds. Records that have changed
        /// since they were indexed are read.
        func searchIndex<E: Entity>(
            _ type: E.Type, _ query: SearchQuery
        ) async throws -> SearchHits? {
            let plan = try tables.table(E.Mapper.table.name)
            guard let index = PostgreSQLSearchIndex(plan.table) else { return nil }
            return try await scan(type) { connection, _ in
                try await PostgreSQLSearchReader<E>(index, connection, query).run()
            }
        }
    }
#endif
