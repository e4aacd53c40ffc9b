#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The notes and hashes of encrypted fields are read and written by a thread that waits for each
    /// answer.
    extension PostgreSQLBlockingConnection: EncryptionSession {
        var storeName: String { "PostgreSQL" }
        var lockingRecords: String { " FOR UPDATE" }

        func rows(of query: SQLQuery, idOf table: SQLTable?) throws -> [[StoredValue]] {
            try checkCancellation()
            let result = try run(query.text, PostgreSQLValues.parameters(query.parameters))
            let key = table.map { table in table.key.map { table.columns[$0].form } } ?? []
            return try (0..<result.count).map { row in
                try (0..<result.columns).map { column in
                    let form = column < key.count ? key[column] : .data
                    return try PostgreSQLValues.value(result, row, column, form)
                }
            }
        }

        func forEachValue(of text: String, _ body: (Data) throws -> Void) throws {
            try runSimple("DECLARE repository_keys NO SCROLL CURSOR FOR \(text)")
            while true {
                try checkCancellation()
                let result = try run("FETCH FORWARD 1000 FROM repository_keys")
                for row in 0..<result.count { try body(Data(result.bytes(row, 0))) }
                if result.count < 1000 { break }
            }
            try runSimple("CLOSE repository_keys")
        }

        func change(_ queries: [SQLQuery]) throws {
            if queries.isEmpty { return }
            let steps = try queries.map {
                PostgreSQLConnection.Step(
                    text: $0.text, parameters: try PostgreSQLValues.parameters($0.parameters))
            }
            do {
                try runAll(steps)
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        func isDuplicate(_ error: any Error) -> Bool {
            (error as? PostgreSQLError)?.isUnique ?? false
        }

        func hasNotes() throws -> Bool {
            try wait { try await PostgreSQLCatalog.hasTable(EncryptionNotes.quoted, $0) }
        }

        /// Creates the table. Several programs may do so at once.
        func createNotes() throws {
            let text = """
                CREATE TABLE IF NOT EXISTS \(EncryptionNotes.quoted) \
                ("kind" text COLLATE "C", "name" text COLLATE "C", \
                "value" bytea NOT NULL, PRIMARY KEY ("kind", "name"))
                """
            try wait { try await PostgreSQLCatalog.createMissing(text, $0) }
        }

        func lockNotes() throws {
            try runSimple("LOCK TABLE \(EncryptionNotes.quoted) IN EXCLUSIVE MODE")
        }

        func lock(_ tables: [String]) throws {
            try runSimple("LOCK TABLE \(PostgreSQLDialect().list(tables)) IN SHARE MODE")
        }

        func isNoted(_ key: String, _ cipher: RecordCipher) -> Bool { cipher.isNoted(key) }
    }

    extension EncryptionNotes {
        /// Returns a query for the `WITH` of a statement that writes encrypted values, which notes
        /// their key in the same round trip.
        ///
        /// The key is noted at each write: another program may have removed the note since, after it
        /// had encrypted all values with a later key.
        static func noting(_ cipher: any FieldCipher) throws -> String {
            let dialect = PostgreSQLDialect()
            let check = StoredValue.data(try cipher.check(ofKey: cipher.keyID))
            let value = dialect.literal(check, as: .data) ?? "NULL"
            return "repository_noted AS (INSERT INTO \(quoted) VALUES "
                + "('key', \(dialect.textLiteral(cipher.keyID)), \(value))"
                + " ON CONFLICT (\"kind\", \"name\") DO NOTHING)"
        }

        /// Returns whether a database was written with a key.
        static func isNoted(
            _ key: String, _ connection: any PostgreSQLRunner
        ) async throws -> Bool {
            guard try await PostgreSQLCatalog.hasTable(quoted, connection) else { return false }
            return try await connection.run(
                "SELECT 1 FROM \(quoted) WHERE \"kind\" = 'key' AND \"name\" = $1",
                PostgreSQLCatalog.parameters([key])
            ).count > 0
        }
    }
#endif
