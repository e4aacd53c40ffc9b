#if PostgreSQL
    internal import RepositoryRuntime
    internal import StoredSchema

    /// Reads the records of stored tables as plain values, for a migration.
    struct PostgreSQLStoredRecords: StoredRecordReader {
        private let stored: SchemaDescription
        /// The name of the table in the database; `nil` if tables have their stored names.
        private let name: String?
        private let connection: PostgreSQLBlockingConnection
        private let setAside: PostgreSQLSetAside?

        /// Prepares reading.
        ///
        /// - Parameters:
        ///   - stored: the stored description of all tables of the schema.
        ///   - name: the name of the table in the database, if it is renamed already.
        ///   - connection: the connection.
        ///   - setAside: receives the records that cannot be migrated; `nil` if they are an error.
        init(
            _ stored: SchemaDescription, renamed name: String? = nil,
            _ connection: PostgreSQLBlockingConnection, _ setAside: PostgreSQLSetAside?
        ) {
            self.stored = stored
            self.name = name
            self.connection = connection
            self.setAside = setAside
        }

        private func table(_ migration: TableMigration) throws -> PostgreSQLStoredTable {
            try PostgreSQLStoredTable(
                migration.stored, among: stored.tables, named: name,
                connection.encryptedTable)
        }

        func read(
            _ migration: TableMigration,
            _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
        ) throws {
            let table = try table(migration)
            let cursor = try PostgreSQLCursors(connection).open(
                "SELECT \(table.columns) FROM \(table.name)")
            while let (result, row) = try cursor.next() {
                let key = table.key(result, row)
                let place = setAside == nil ? [] : StoredBytes.bytes(of: .list(key))
                let record: StoredRecord
                do {
                    let values = try table.values(result, row)
                    record = .readable(
                        MigrationRecord(values, id: migration.id(of: values), at: place))
                } catch let error as RecordDecodingError {
                    record = .unreadable(
                        place: place, id: nil,
                        reason:
                            "a record of '\(migration.stored.name)' cannot be read (\(error.path))")
                }
                try body(record) { reason in try setAside?.add(key, of: table, reason) }
            }
        }

        func setAside(
            _ place: [UInt8], of migration: TableMigration, _ reason: String
        ) throws {
            guard let setAside, case .list(let key) = try StoredBytes.value(of: place) else {
                return
            }
            try setAside.add(key, of: table(migration), reason)
        }
    }
#endif
