#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// A value that names a key with which the store was not written when it was opened.
    ///
    /// Decoding does not wait for the server. The read is therefore repeated when it is known whether
    /// the key is a later one or the value was changed.
    struct PostgreSQLUnknownKey: Error {
        /// The id of the key.
        let key: String

        /// The keys of changed values.
        @TaskLocal private static var damaged: Set<String> = []

        /// Returns whether the store was written with a key.
        static func isNoted(_ key: String, _ cipher: RecordCipher) throws -> Bool {
            if cipher.isNoted(key) { return true }
            if damaged.contains(key) { return false }
            throw Self(key: key)
        }

        /// Runs a read of a table, which may be repeated.
        ///
        /// - Throws: `keyNotFound` if a value has a key that another program has added since.
        static func reading<R>(
            _ table: SQLTable, _ connection: any PostgreSQLRunner, _ body: () async throws -> R
        ) async throws -> R {
            guard table.cipher != nil else { return try await body() }
            var damaged = Self.damaged
            while true {
                do {
                    return try await $damaged.withValue(damaged) { try await body() }
                } catch let error as PostgreSQLUnknownKey {
                    if try await EncryptionNotes.isNoted(error.key, connection) {
                        throw CRUDRepositoryError.keyNotFound(error.key)
                    }
                    damaged.insert(error.key)
                }
            }
        }
    }
#endif
