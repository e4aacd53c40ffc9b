internal import RepositoryRuntime
internal import StoredSchema

/// Reads the records of stored tables as plain values, for a migration.
struct SQLiteStoredRecords: StoredRecordReader {
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
        try read(migration) { record, _, _ in
            switch record {
            case .success(let record): try body(record, &failures)
            case .failure(let problem): failures.add(problem.reason, id: nil)
            }
        }
    }

    /// Reads the records of a table, and sets those aside that cannot be read or that the body
    /// refuses.
    ///
    /// - Parameter body: Gets each record, and a function that sets it aside for a reason.
    func read(
        _ migration: TableMigration, settingAsideIn setAside: SQLiteSetAside,
        _ body: (MigrationRecord, (String) throws -> Void) throws -> Void
    ) throws {
        try read(migration) { record, select, columns in
            func fail(_ reason: String) throws {
                try setAside.add(select, columns: columns, table: migration.stored, reason)
            }
            switch record {
            case .success(let record): try body(record, fail)
            case .failure(let problem): try fail(problem.reason)
            }
        }
    }

    /// Passes each record with its statement and columns to a body; nil with the reason for one
    /// that cannot be read.
    private func read(
        _ migration: TableMigration,
        _ body: (Result<MigrationRecord, UnreadableRecord>, SQLiteStatement, [String]) throws ->
            Void
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
                let reason = "a record of '\(name)' cannot be read (\(error.path))"
                try body(.failure(UnreadableRecord(reason: reason)), select, columns)
                continue
            }
            try body(
                .success(MigrationRecord(values, id: migration.id(of: values))), select, columns)
        }
    }
}

/// A record that cannot be read.
private struct UnreadableRecord: Error {
    /// The reason as a clause.
    let reason: String
}
