internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Reads the records of stored tables as plain values, for a migration.
struct SQLiteStoredRecords: StoredRecordReader {
    private let stored: SchemaDescription
    /// The name of the table in the database; nil if tables have their stored names.
    private let name: String?
    private let connection: SQLiteConnection
    /// Receives the records that cannot be migrated; nil if they are an error.
    private let setAside: SQLiteSetAside?
    private let dialect = SQLiteDialect()

    /// Prepares reading.
    ///
    /// - Parameters:
    ///   - stored: the stored description of all tables of the schema.
    ///   - name: the name of the table in the database, if it is renamed already.
    ///   - connection: the connection.
    ///   - setAside: receives the records that cannot be migrated; nil if they are an error.
    init(
        _ stored: SchemaDescription, renamed name: String? = nil, _ connection: SQLiteConnection,
        _ setAside: SQLiteSetAside?
    ) {
        self.setAside = setAside
        self.stored = stored
        self.name = name
        self.connection = connection
    }

    func read(
        _ migration: TableMigration,
        _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
    ) throws {
        let name = name ?? migration.stored.name
        let layout = try StoredRowLayout(migration.stored)
        let columns = migration.stored.fields.flatMap(\.columns)
        let keys = migration.keyColumns.compactMap { columns.firstIndex(of: $0) }
        let select = try SQLiteStatement(
            "SELECT \(dialect.list(columns)) FROM \(dialect.quoted(name))",
            on: connection.handle, isKept: false)
        // The representations of columns can depend on the tables to which they refer.
        let schema = StoreSchema("stored", try stored.tables.map { try EntityTable($0) })
        let table = SQLTable(
            try EntityTable(migration.stored), in: schema, encryption: connection.encryption)
        try connection.addNotes(to: table)
        var row = SQLiteRow(record: select, table)
        while try select.step() {
            let place = setAside == nil ? [] : Self.place(select, keys)
            let record: StoredRecord
            do {
                let values = try layout.values(from: &row, of: table, connection)
                record = .readable(
                    MigrationRecord(values, id: migration.id(of: values), at: place))
            } catch let error as RecordDecodingError {
                record = .unreadable(
                    place: place, id: nil,
                    reason: "a record of '\(name)' cannot be read (\(error.path))")
            }
            try body(record) { reason in
                try setAside?.add(select, columns: columns, table: migration.stored, reason)
            }
        }
    }

    func setAside(
        _ place: [UInt8], of migration: TableMigration, _ reason: String
    ) throws {
        guard let setAside,
            case .list(let key)? = StoredValueBytes.values(of: place, depth: 2)?.first
        else { return }
        let columns = migration.stored.fields.flatMap(\.columns)
        let conditions = migration.keyColumns.map { "\(dialect.quoted($0)) IS ?" }
        let select = try SQLiteStatement(
            "SELECT \(dialect.list(columns)) FROM \(dialect.quoted(name ?? migration.stored.name)) WHERE \(conditions.joined(separator: " AND "))",
            on: connection.handle, isKept: false)
        for (index, value) in key.enumerated() {
            switch value {
            case .integer(let value): try select.bind(value, at: index + 1)
            case .text(let value): try select.bind(value, at: index + 1)
            case .data(let value):
                let number = Int32(truncatingIfNeeded: index + 1)
                guard SQLiteBinding.data(value, select.handle, number) == SQLITE_OK else {
                    throw select.failure()
                }
            default: return
            }
        }
        guard try select.step() else { return }
        try setAside.add(select, columns: columns, table: migration.stored, reason)
    }

    /// Returns the values of the id of the current record, as bytes.
    private static func place(_ select: SQLiteStatement, _ keys: [Int]) -> [UInt8] {
        var bytes = StoredValueBytes()
        bytes.append(
            .list(
                keys.map { index in
                    switch SQLiteHeldValue.value(select.handle, index) {
                    case let value?: value
                    case nil: .null
                    }
                }))
        return bytes.bytes
    }
}

extension TableMigration {
    /// The columns of the stored id.
    fileprivate var keyColumns: [String] {
        stored.key.flatMap { stored.field($0)?.columns ?? [] }
    }
}
