#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The notes of the encrypted fields of a database.
    struct PostgreSQLEncryption {
        private static let quoted = "\"\(EncryptionNotes.table)\""

        private let tables: [SQLTable]
        private let ciphers: [RecordCipher]
        private let connection: PostgreSQLConnection

        init(_ tables: [SQLTable], _ connection: PostgreSQLConnection) {
            self.tables = tables
            ciphers = tables.compactMap(\.cipher)
            self.connection = connection
        }

        /// Checks that the store has all keys that the database was written with. The keys and
        /// earlier names are passed to the ciphers of the tables.
        ///
        /// - Throws: `keyNotFound`; `databaseError` if the names were changed.
        func check() async throws {
            guard let cipher = ciphers.first?.cipher,
                let notes = try await Self.notes(connection)
            else { return }
            try notes.check(cipher)
            let names = try notes.names(cipher)
            let columns = try notes.columns(cipher)
            for cipher in ciphers {
                cipher.add(names)
                cipher.add(columns)
                cipher.add(keys: Set(notes.keys.keys))
            }
        }

        /// Creates the table, and notes the key and the names that fields had.
        func complete() async throws {
            guard let cipher = ciphers.first?.cipher else { return }
            if try await Self.notes(connection) == nil { try await create() }
            let notes = try await Self.notes(connection) ?? EncryptionNotes()
            if notes.keys[cipher.keyID] == nil {
                try await connection.run(try "WITH \(Self.noting(cipher)) SELECT 1")
            }
            let noted = try notes.names(cipher)
            let names = EncryptionNotes.names(of: ciphers, noted)
            if Set(names) != Set(noted) { try await Self.write(names, cipher, connection) }
        }

        /// Notes the numbers of the columns with an index, whose values are hashed if they are not.
        /// Must be called inside a transaction.
        ///
        /// - Parameter description: returns the description of all schemas.
        /// - Throws: `schemaMismatch` if records share the values of a unique index.
        func completeColumns(
            _ description: () async throws -> StoreDescription?
        ) async throws {
            guard let cipher = ciphers.first?.cipher else {
                // The last encrypted field of the schema may be gone.
                return try await forgetIndexKey(description)
            }
            // Of several programs that find the notes incomplete, one completes them.
            try await connection.runSimple("LOCK TABLE \(Self.quoted) IN EXCLUSIVE MODE")
            let notes = try await Self.notes(connection) ?? EncryptionNotes()
            let noted = try notes.columns(cipher)
            for cipher in ciphers { cipher.add(noted) }
            let others = noted.filter { column in !ciphers.contains { $0.hasTable(of: column) } }
            var taken = Set(others.map(\.number))
            for table in tables {
                guard let cipher = table.cipher else { continue }
                let hashes = PostgreSQLIndexHashes(table, connection)
                for field in cipher.formerlyIndexed(noted) { try await hashes.remove(field) }
                for field in cipher.indexedFields {
                    taken.insert(try await hashes.complete(field, taken: taken))
                }
            }
            let columns = others + ciphers.flatMap(\.numberedColumns)
            if columns.isEmpty { return try await forgetIndexKey(description) }
            if Set(columns) != Set(noted) {
                let sealed = try EncryptionNotes.sealed(columns, cipher)
                try await Self.write("columns", "", sealed, connection)
            }
            if notes.indexKey == nil, let id = cipher.indexKeyID {
                try await Self.write("index key", id, cipher.checkOfIndexKey(), connection)
            }
        }

        /// Returns whether the numbers of all columns with an index are noted.
        func notesColumns() async throws -> Bool {
            let numbered = ciphers.flatMap(\.numberedColumns)
            guard let cipher = ciphers.first?.cipher, !numbered.isEmpty else { return true }
            guard let notes = try await Self.notes(connection), notes.indexKey != nil else {
                return false
            }
            return try Set(notes.columns(cipher)).isSuperset(of: numbered)
        }

        /// Removes the notes of indexes if no table of any schema has an index over an encrypted
        /// field.
        private func forgetIndexKey(
            _ description: () async throws -> StoreDescription?
        ) async throws {
            guard try await Self.notes(connection)?.indexKey != nil,
                try await description()?.hasIndexedEncryptedFields != true
            else { return }
            try await Self.forgetIndexKey(connection)
        }

        /// Removes the notes of indexes.
        static func forgetIndexKey(_ connection: PostgreSQLConnection) async throws {
            try await connection.run(
                "DELETE FROM \(quoted) WHERE \"kind\" IN ('index key', 'columns')")
        }

        /// Returns the noted numbers of columns.
        static func columns(
            _ cipher: RecordCipher, _ connection: PostgreSQLConnection
        ) async throws -> [NumberedColumn] {
            try await notes(connection)?.columns(cipher.cipher) ?? []
        }

        /// Creates the table. Several programs may do so at once.
        private func create() async throws {
            try await PostgreSQLCatalog.createMissing(
                """
                CREATE TABLE IF NOT EXISTS \(Self.quoted) \
                ("kind" text COLLATE "C", "name" text COLLATE "C", \
                "value" bytea NOT NULL, PRIMARY KEY ("kind", "name"))
                """, connection)
        }

        /// Drops the table of a database without encrypted fields.
        static func drop(_ connection: PostgreSQLConnection) async throws {
            try await connection.run("DROP TABLE IF EXISTS \(quoted)")
        }

        /// Returns the notes; `nil` if there is no table.
        static func notes(_ connection: any PostgreSQLRunner) async throws -> EncryptionNotes? {
            guard try await PostgreSQLCatalog.hasTable(quoted, connection) else { return nil }
            let result = try await connection.run(
                "SELECT \"kind\", \"name\", \"value\" FROM \(quoted)")
            var notes = EncryptionNotes()
            for row in 0..<result.count {
                notes.add(
                    kind: result.text(row, 0) ?? "", name: result.text(row, 1) ?? "",
                    Data(result.bytes(row, 2)))
            }
            return notes
        }

        private static func write(
            _ names: [[RecordCipher.Names]], _ cipher: any FieldCipher,
            _ connection: PostgreSQLConnection
        ) async throws {
            try await write("names", "", EncryptionNotes.sealed(names, cipher), connection)
        }

        private static func write(
            _ kind: String, _ name: String, _ value: Data, _ connection: PostgreSQLConnection
        ) async throws {
            var parameters = PostgreSQLCatalog.parameters([kind, name])
            parameters.append(PostgreSQLType.bytea) { $0.append(contentsOf: value) }
            try await connection.run(
                "INSERT INTO \(quoted) VALUES ($1, $2, $3)"
                    + " ON CONFLICT (\"kind\", \"name\") DO UPDATE SET \"value\" = excluded.\"value\"",
                parameters)
        }

        /// Returns a statement that notes the key, too, with which values are encrypted.
        ///
        /// The key is noted at each write: another program may have removed the note since, after it
        /// had encrypted all values with a later key.
        ///
        /// - Returns: a query for the `WITH` of the statement that writes them.
        static func noting(_ cipher: any FieldCipher) throws -> String {
            let dialect = PostgreSQLDialect()
            let check = StoredValue.data(try cipher.check(ofKey: cipher.keyID))
            let value = dialect.literal(check, as: .data) ?? "NULL"
            return "repository_noted AS (INSERT INTO \(quoted) VALUES "
                + "('key', \(dialect.textLiteral(cipher.keyID)), \(value))"
                + " ON CONFLICT (\"kind\", \"name\") DO NOTHING)"
        }

        /// Encrypts the noted names again with the key that is used now, and removes the keys that
        /// encrypt no value. The transaction has locked the tables in which values were looked for.
        ///
        /// - Parameters:
        ///   - used: the keys that encrypt values.
        ///   - cipher: the encryption.
        ///   - connection: the connection.
        static func forgetKeys(
            except used: Set<String>, _ cipher: any FieldCipher,
            _ connection: PostgreSQLConnection
        ) async throws {
            guard let notes = try await notes(connection) else { return }
            let names = try notes.names(cipher)
            if !names.isEmpty { try await write(names, cipher, connection) }
            let columns = try notes.columns(cipher)
            if !columns.isEmpty {
                let sealed = try EncryptionNotes.sealed(columns, cipher)
                try await write("columns", "", sealed, connection)
            }
            for key in notes.keys.keys where key != cipher.keyID && !used.contains(key) {
                try await connection.run(
                    "DELETE FROM \(quoted) WHERE \"kind\" = 'key' AND \"name\" = $1",
                    PostgreSQLCatalog.parameters([key]))
            }
        }
    }

    /// The encryption of stored tables that a migration reads.
    struct PostgreSQLStoredEncryption: Sendable {
        private let cipher: any FieldCipher
        private let names: [[RecordCipher.Names]]
        private let keys: Set<String>

        /// Reads the notes of a database.
        ///
        /// - Throws: `keyNotFound`.
        init(_ cipher: any FieldCipher, _ connection: PostgreSQLConnection) async throws {
            self.cipher = cipher
            let notes = try await PostgreSQLEncryption.notes(connection) ?? EncryptionNotes()
            try notes.check(cipher)
            names = try notes.names(cipher)
            keys = Set(notes.keys.keys)
        }

        /// Returns a stored table, with its cipher.
        func table(_ entity: EntityTable, in schema: StoreSchema) -> SQLTable {
            let table = SQLTable(entity, in: schema, for: .native, encryption: cipher)
            table.cipher?.add(names)
            table.cipher?.add(keys: keys)
            return table
        }
    }
#endif
