package import RepositoryRuntime
package import StoredSchema

/// Reads the records of stored tables as plain values, for a migration.
package struct SQLStoredRecords: StoredRecordReader {
    private let stored: SchemaDescription
    /// The name of the table in the database; nil if tables have their stored names.
    private let name: String?
    private let session: any SQLMigrationSession
    private let setAside: SQLSetAside?

    /// Prepares reading.
    ///
    /// - Parameters:
    ///   - stored: the stored description of all tables of the schema.
    ///   - name: the name of the table in the database, if it is renamed already.
    ///   - session: the connection.
    ///   - setAside: receives the records that cannot be migrated; nil if they are an error.
    package init(
        _ stored: SchemaDescription, renamed name: String? = nil,
        _ session: any SQLMigrationSession, _ setAside: SQLSetAside?
    ) {
        self.stored = stored
        self.name = name
        self.session = session
        self.setAside = setAside
    }

    private func table(_ migration: TableMigration) throws -> SQLStoredTable {
        try SQLStoredTable(migration.stored, among: stored.tables, named: name, session)
    }

    /// Calls a closure with each record of a table.
    package func read(
        _ migration: TableMigration,
        _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
    ) throws {
        let table = try table(migration)
        let next = try table.reader(withKeys: setAside != nil)(nil)
        while let row = try next() {
            let place = setAside == nil ? [] : StoredBytes.bytes(of: .list(row.key))
            let record: StoredRecord =
                switch row.values {
                case .success(let values):
                    .readable(MigrationRecord(values, id: migration.id(of: values), at: place))
                case .failure(let error):
                    .unreadable(
                        place: place, id: nil,
                        reason:
                            "a record of '\(migration.stored.name)' cannot be read (\(error.path))")
                }
            try body(record) { reason in try setAside?.add(row.key, of: table, reason) }
        }
    }

    /// Writes a record to the file of the records set aside, as it is stored.
    package func setAside(
        _ place: [UInt8], of migration: TableMigration, _ reason: String
    ) throws {
        guard let setAside, case .list(let key) = try StoredBytes.value(of: place) else { return }
        try setAside.add(key, of: table(migration), reason)
    }
}

/// A stored table that functions over several tables read while they run.
///
/// A record that is set aside is deleted from it, so that no later reading finds it.
final class SQLMigrationSource: MigrationSource {
    private let table: SQLStoredTable
    private let setAside: SQLSetAside?
    private let reader: SQLStoredTable.Reader
    /// Reads records with their keys.
    private let keyedReader: SQLStoredTable.Reader
    /// The fields that form the id.
    private let key: [Int]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - setAside: receives records that cannot be read; nil if they are an error.
    init(_ table: SQLStoredTable, _ setAside: SQLSetAside?) {
        self.table = table
        self.setAside = setAside
        reader = table.reader(withKeys: false)
        keyedReader = table.reader(withKeys: true)
        key = table.table.entity.key
    }

    func scan() throws -> () throws -> MigrationSourceRecord? { try records(nil) }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        try find(key, place)?()?.values
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        try records(table.isEqual(fields, values))
    }

    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
        guard let setAside else { return false }
        let found = try keyedReader(table.isEqual(key, place))()
        if let found { try setAside.move(found.key, of: table, reason) }
        return true
    }

    /// Reads records. One that cannot be read is set aside.
    private func records(
        _ condition: SQLStoredTable.Condition?
    ) throws -> () throws -> MigrationSourceRecord? {
        let next = try reader(condition)
        return { [self] in
            while let row = try next() {
                switch row.values {
                case .success(let values): return (key.map { values[$0] }, values)
                case .failure(let error): try refuse(row.key, error)
                }
            }
            return nil
        }
    }

    /// Sets a record aside that cannot be read.
    ///
    /// - Throws: `MigrationRecordFailure` if the migration sets no records aside.
    private func refuse(_ place: [StoredValue], _ error: RecordDecodingError) throws {
        let name = table.stored.name
        guard let setAside else {
            throw MigrationRecordFailure(unreadable: name, error.path, id: place.identifierText)
        }
        try setAside.move(place, of: table, MigrationRecordFailure.unreadable(name, error.path))
    }
}
