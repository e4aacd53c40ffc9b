internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Drops the tables of a schema in one transaction, except those that another schema also declares.
///
/// It runs on the writing connection, outside a transaction.
struct SQLiteSchemaReset {
    private let schema: StoreSchema
    private let connection: SQLiteConnection

    init(_ schema: StoreSchema, _ connection: SQLiteConnection) {
        self.schema = schema
        self.connection = connection
    }

    /// Drops the tables and removes the schema from the stored description.
    func run() throws {
        // Tables that refer to each other are dropped together, so that no reference is left
        // dangling.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer {
            // This cannot fail outside a transaction. If it did, the next statement on the
            // connection would report the cause.
            try? connection.execute("PRAGMA foreign_keys = ON")
        }
        try connection.beginImmediate()
        do {
            if var description = try SQLiteSchemaTable.description(connection),
                description.set(schema.name) != nil
            {
                for table in description.tables(onlyOf: schema.name) {
                    try SQLiteSearchTables.drop(of: table.table.name, connection)
                    if table.table.hasExternalData {
                        let chunks = ChunkTable.name(of: table.table.name, SQLiteDialect())
                        try connection.execute(
                            "DROP TABLE IF EXISTS \(SQLiteDialect().quoted(chunks))")
                    }
                    try connection.execute(
                        "DROP TABLE IF EXISTS \(SQLiteDialect().quoted(table.table.name))")
                }
                description.remove(set: schema.name)
                if description.encryptedTables.isEmpty {
                    try connection.execute(EncryptionNotes.drop)
                } else if !description.hasIndexedEncryptedFields {
                    try connection.execute(EncryptionNotes.forgetIndexKey)
                }
                try SQLiteSchemaTable.write(description, connection)
            }
            try connection.commit()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
