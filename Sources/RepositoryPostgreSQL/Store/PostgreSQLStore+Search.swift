#if PostgreSQL
    public import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLTransaction {
        func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
            try await searchIndex(type, query)
        }
    }

    extension PostgreSQLStore {
        /// Returns the records that the search index finds. If many records have changed since they
        /// were indexed, indexes them first.
        public func search<E: Entity>(
            _ type: E.Type, _ query: SearchQuery
        ) async throws -> SearchHits? {
            let plan = try tables.table(E.Mapper.table.name)
            guard let index = PostgreSQLSearchIndex(plan.table) else { return nil }
            // A search must not wait for another program because of a few changes: it reads those
            // records.
            if let hits = try await searchIndex(type, query) { return hits }
            try await indexChanges(type, index, plan)
            return try await searchIndex(type, query)
        }

        /// Indexes the records that have changed, unless the index was built for another
        /// definition.
        private func indexChanges<E: Entity>(
            _ type: E.Type, _ index: PostgreSQLSearchIndex, _ plan: PostgreSQLTable
        ) async throws {
            let setting = PostgreSQLSearchUpkeep<E>.setting
            do {
                var goesOn = true
                while goesOn {
                    try Task.checkCancellation()
                    goesOn = try await PostgreSQLErrors.mapped(table: plan.table.name) {
                        try await access.write(.batch(setting: setting, check: nil)) { job in
                            try await PostgreSQLSearchUpkeep<E>(index, job, plan).run()
                        } diagnose: { error, _, _ in
                            PostgreSQLErrors.databaseError(error, table: plan.table.name)
                        }
                    }
                }
            } catch let error as CRUDRepositoryError where error.underlyingError is PostgreSQLError
            {
                // The server is read-only or full, the role may not write, another program indexes
                // the records for long, or the connection was lost. The search then reads every
                // record, and a later search builds the index.
                return
            }
        }
    }
#endif
