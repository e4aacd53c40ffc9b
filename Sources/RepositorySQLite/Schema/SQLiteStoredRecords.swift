internal import RepositoryRuntime
internal import StoredSchema

/// Reads the records of stored tables as plain values, for a migration.
struct SQLiteStoredRecords: MigrationReader {
    private let stored: SchemaDescription
    /// The name of the table in the database; nil if tables have their stored names.
    private let name: String?
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    /// Prepares reading.
    ///
    /// - Parameters:
    ///   - stored: the stored description of all tables of the schema.
    ///   - name: the name of the table in the database, if it is renamed already.
    ///   - connection: the connection.
    init(_ stored: SchemaDescription, renamed name: String? = nil, _ connection: SQLiteConnection) {
        self.stored = stored
        self.name = name
        self.connection = connection
    }

    func read(
        _ migration: TableMigration, _ failures: inout MigrationFailures,
        _ body: (MigrationRecord, inout MigrationFailures) throws -> Void
    ) throws {
        let name = name ?? migration.stored.name
        let layout = try StoredRowLayout(migration.stored)
        let columns = migration.stored.fields.flatMap(\.columns)
        let select = try SQLiteStatement(
            "SELECT \(dialect.list(columns)) FROM \(dialect.quoted(name))",
            on: connection.handle, isKept: false)
        // The representations of columns can depend on the tables to which they refer.
        let schema = StoreSchema("stored", try stored.tables.map { try EntityTable($0) })
        let table = SQLTable(try EntityTable(migration.stored), in: schema)
        var row = SQLiteRow(record: select, table)
        while try select.step() {
            let values: [StoredValue]
            do {
                values = try layout.values(from: &row)
            } catch let error as RecordDecodingError {
                failures.add("a record of '\(name)' cannot be read (\(error.path))", id: nil)
                continue
            }
            try body(MigrationRecord(values, id: migration.id(of: values)), &failures)
        }
    }
}
