internal import RepositoryRuntime

/// Drops the tables of a set in one transaction, except for those that another set lists too.
struct SQLiteSchemaReset {
    private let schema: StoreSchema
    private let connection: SQLiteConnection

    init(_ schema: StoreSchema, _ connection: SQLiteConnection) {
        self.schema = schema
        self.connection = connection
    }

    func run() throws {
        // Tables that refer to each other go together: nothing is left that could refer to nothing.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer {
            // Cannot fail outside of a transaction; were it to, the next statement on the
            // connection would say why.
            try? connection.execute("PRAGMA foreign_keys = ON")
        }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            if var description = try SQLiteSchemaTable.description(connection, for: schema.name),
                description.set(schema.name) != nil
            {
                for table in description.tables(onlyOf: schema.name) {
                    try connection.execute(
                        "DROP TABLE IF EXISTS \(SQLiteDialect().quoted(table.table.name))")
                }
                description.remove(set: schema.name)
                try SQLiteSchemaTable.write(description, connection)
            }
            try connection.commit()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
