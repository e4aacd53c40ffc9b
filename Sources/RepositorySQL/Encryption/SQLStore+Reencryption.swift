package import RepositoryRuntime
internal import RepositorySQLCore

extension SQLStore: RewrappingStore {
    /// Encrypts the values again that have another key than the first one, in the tables of the open
    /// schemas.
    ///
    /// A record keeps its version, and observers are not notified. At the end, writers wait while the
    /// values of each key are counted.
    ///
    /// - Throws: `unsupported` for a store without an encryption; `keyNotFound`;
    ///   `CancellationError`.
    package func rewrap(batch: Int) async throws -> RewrappedDocuments {
        try database.life.check()
        guard let cipher = database.encryption else {
            throw CRUDRepositoryError.unsupported("reencryption", by: name)
        }
        let (database, name) = (database, name)
        let tables = plans.all.map(\.table).sorted { $0.name < $1.name }
            .compactMap { Reencryption($0) }
        return try await SQLDriverError.mapped(name) {
            try await Reencryption.run(tables) { table, start in
                try await database.transaction {
                    try table.rewrite(after: start, max(1, batch), $0)
                }
            } rest: {
                if tables.isEmpty { return [:] }
                return try await database.transaction { session in
                    try Reencryption.forgetKeys(of: tables, cipher, session) {
                        try SchemaTable.description(session, name)
                    }
                }
            }
        }
    }
}
