package import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

extension SQLiteStore: RewrappingStore {
    /// Encrypts the values again that have another key than the first one, in the tables of the open
    /// schemas.
    ///
    /// A record keeps its version, and observers are not notified.
    ///
    /// - Throws: `unsupported` for a store without an encryption; `keyNotFound`;
    ///   `CancellationError`.
    package func rewrap(batch: Int) async throws -> RewrappedDocuments {
        try database.life.check()
        guard let cipher = database.location.encryption else {
            throw CRUDRepositoryError.unsupported("reencryption", by: name)
        }
        let tables = try opened.withLock { $0 }.flatMap(\.tables)
            .filter(\.hasEncryptedFields).map { try plans.plan($0.name).table }
            .compactMap { Reencryption($0) }
        return try await Reencryption.run(tables) { table, start in
            try await change { try table.rewrite(after: start, max(1, batch), $0) }
        } rest: {
            try await change { connection in
                try Reencryption.forgetKeys(of: tables, cipher, connection) {
                    try SQLiteSchemaTable.description(connection)
                }
            }
        }
    }

    private func change<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await SQLiteErrors.mapped { try await database.write(.batch, body) }
    }
}
