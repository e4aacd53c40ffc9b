#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Rebuilding indexes.
    extension PostgreSQLStore {
        /// Rebuilds the indexes of the tables in the open schemas, the folded text of fields
        /// declared `ignoringCase`, and the hashes of encrypted fields. The next search builds the
        /// index of words.
        public func rebuildIndexes() async throws {
            let plans = tables.all.filter(\.table.entity.isManaged)
            access.pool.stopStreams()
            try await PostgreSQLErrors.mapped {
                try await access.leasing { connection in
                    for plan in plans {
                        try await connection.transaction {
                            try await Self.rebuild(plan, connection)
                        }
                    }
                }
            }
        }

        private static func rebuild(
            _ plan: PostgreSQLTable, _ connection: PostgreSQLConnection
        ) async throws {
            let name = PostgreSQLDialect().quoted(plan.table.name)
            if let chunks = ChunkTable(plan.table, PostgreSQLDialect()) {
                try await connection.run(chunks.deleteStray)
            }
            // The next search indexes the records.
            if let index = PostgreSQLSearchIndex(plan.table) {
                for text in index.clear + [index.markAll] { try await connection.run(text) }
            }
            for column in plan.table.columns {
                guard let folded = column.foldedName else { continue }
                try await connection.run(
                    "UPDATE \(name) SET \(PostgreSQLDialect().quoted(folded)) = NULL")
                try await PostgreSQLFolding(plan.table, column, connection).fill()
            }
            if plan.table.cipher != nil {
                try await PostgreSQLBlockingConnection.run(connection, isMigration: false) {
                    try IndexHashes(plan.table, $0).repair()
                }
            }
            try await connection.runSimple("REINDEX TABLE \(name)")
        }
    }
#endif
