#if PostgreSQL
    package import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLStore: RewrappingStore {
        /// Encrypts the values again that have another key than the first one, in the tables of the
        /// open schemas.
        ///
        /// A record keeps its version, and observers are not notified. At the end, writers of these
        /// tables wait while the values of each key are counted.
        ///
        /// - Throws: `unsupported` for a store without an encryption; `keyNotFound`;
        ///   `CancellationError`.
        package func rewrap(batch: Int) async throws -> RewrappedDocuments {
            try access.life.check()
            guard let cipher = options.encryption else {
                throw CRUDRepositoryError.unsupported("reencryption", by: name)
            }
            let tables = self.tables.all.map(\.table).sorted { $0.name < $1.name }
                .compactMap { Reencryption($0) }
            return try await PostgreSQLErrors.mapped {
                try await Reencryption.run(tables) { table, start in
                    try await blocking { try table.rewrite(after: start, max(1, batch), $0) }
                } rest: {
                    if tables.isEmpty { return [:] }
                    return try await blocking { connection in
                        try Reencryption.forgetKeys(of: tables, cipher, connection) {
                            try connection.wait { try await PostgreSQLSchemaTable.description($0) }
                        }
                    }
                }
            }
        }

        /// Runs a transaction that waits for each answer.
        private func blocking<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLBlockingConnection) throws -> R
        ) async throws -> R {
            try await access.leasing { connection in
                try await connection.transaction {
                    try await PostgreSQLBlockingConnection.run(
                        connection, isMigration: false, body)
                }
            }
        }
    }
#endif
