internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// A stored table that a migration reads, under the name that it has in the database meanwhile.
struct StoredTableRows {
    /// The number of records that are read at a time.
    private static let page = 500

    /// The description of the table.
    let stored: StoredTable
    /// The representations of the columns.
    let table: SQLTable
    /// The names of the columns in the database.
    let columnNames: [String]
    /// The quoted name in the database.
    let name: String
    private let layout: StoredRowLayout
    private let session: Session

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - stored: the description of the table.
    ///   - tables: the descriptions of all stored tables. The representations of columns can depend
    ///     on the tables to which they refer.
    ///   - name: the name in the database; nil if it is the stored one.
    ///   - session: the connection.
    init(
        _ stored: StoredTable, among tables: [StoredTable], named name: String? = nil,
        _ session: Session
    ) throws {
        self.stored = stored
        self.session = session
        let schema = StoreSchema("stored", try tables.map { try EntityTable($0) })
        table = SQLTable(try EntityTable(stored), in: schema, for: .plain)
        columnNames = stored.fields.flatMap(\.columns)
        layout = try StoredRowLayout(stored)
        self.name = session.dialect.quoted(name ?? stored.name)
    }

    /// Returns the name that a table has while a migration replaces it.
    static func aside(_ table: String) -> String { "repository_old_\(table)" }

    private var dialect: DriverDialect { session.dialect }

    /// The quoted columns, in the order of the table.
    var columns: String { dialect.list(columnNames) }

    /// The quoted columns of the id.
    private var keyNames: [String] { table.key.map { dialect.quoted(columnNames[$0]) } }

    /// Returns a closure that returns one row after another, in the order of the ids.
    ///
    /// - Parameters:
    ///   - condition: the condition of the rows; nil for all.
    ///   - parameters: its parameters.
    func rows(
        where condition: String? = nil, _ parameters: [SQLValue] = []
    ) -> () throws -> [SQLValue]? {
        let key = keyNames.joined(separator: ", ")
        let places = keyNames.indices.map { dialect.placeholder(parameters.count + $0 + 1) }
            .joined(separator: ", ")
        let isAfter = keyNames.count == 1 ? "\(key) > \(places)" : "(\(key)) > (\(places))"
        var page: [[SQLValue]] = []
        var next = 0
        var last: [SQLValue]?
        var isOver = false
        return {
            if next == page.count {
                if isOver { return nil }
                let conditions = [condition, last == nil ? nil : isAfter].compactMap(\.self)
                let filter =
                    conditions.isEmpty
                    ? "" : " WHERE " + conditions.map { "(\($0))" }.joined(separator: " AND ")
                page = try session.query(
                    "SELECT \(columns) FROM \(name)\(filter) ORDER BY \(key) LIMIT \(Self.page)",
                    parameters + (last ?? []))
                next = 0
                isOver = page.count < Self.page
                last = page.last.map { row in table.key.map { row[$0] } }
                if page.isEmpty { return nil }
            }
            defer { next += 1 }
            return page[next]
        }
    }

    /// Returns the values of a row.
    ///
    /// - Throws: `RecordDecodingError`.
    func values(_ row: [SQLValue]) throws -> [StoredValue] {
        var fields = RecordDecoder(record: row, table)
        return try layout.values(from: &fields)
    }

    /// Returns the values of the id of a row, as far as they can be read.
    func key(_ row: [SQLValue]) -> [StoredValue] {
        table.key.map { column in
            (try? table.columns[column].form.value(row[column])) ?? .null
        }
    }

    /// Returns the condition that the columns of the id have certain values.
    func isAt(_ key: [StoredValue]) -> (text: String, parameters: [SQLValue]) {
        condition(zip(table.key, key).map { ($0, table.columns[$0].form.plain($1) ?? .null) })
    }

    /// Returns the condition that fields have certain values.
    func isEqual(
        _ fields: [Int], _ values: [StoredValue]
    ) -> (text: String, parameters: [SQLValue]) {
        condition(
            zip(fields, values).flatMap { field, value in
                Array(zip(table.columns(ofField: field), components(value, of: field)))
            })
    }

    /// Returns the values of the columns of a field.
    private func components(_ value: StoredValue, of field: Int) -> [SQLValue] {
        let columns = table.columns(ofField: field).map { table.columns[$0] }
        if columns.count == 1 { return [columns[0].form.plain(value) ?? .null] }
        guard case .composite(let layout) = table.entity.layout.fields[field].type,
            case .object(let members) = value
        else { return columns.map { _ in .null } }
        return zip(layout.fields, columns).map {
            $1.form.plain(members[$0.name] ?? .null) ?? .null
        }
    }

    private func condition(
        _ columns: [(Int, SQLValue)]
    ) -> (text: String, parameters: [SQLValue]) {
        var conditions: [String] = []
        var parameters: [SQLValue] = []
        for (column, value) in columns {
            let name = dialect.quoted(columnNames[column])
            if value == .null {
                conditions.append("\(name) IS NULL")
            } else {
                parameters.append(value)
                conditions.append("\(name) = \(dialect.placeholder(parameters.count))")
            }
        }
        return (conditions.joined(separator: " AND "), parameters)
    }
}

/// Reads the records of stored tables as plain values, for a migration.
struct StoredRecords: StoredRecordReader {
    private let stored: SchemaDescription
    /// The name of the table in the database; nil if tables have their stored names.
    private let name: String?
    private let session: Session
    private let setAside: SetAside?

    init(
        _ stored: SchemaDescription, renamed name: String? = nil, _ session: Session,
        _ setAside: SetAside?
    ) {
        self.stored = stored
        self.name = name
        self.session = session
        self.setAside = setAside
    }

    private func rows(_ migration: TableMigration) throws -> StoredTableRows {
        try StoredTableRows(migration.stored, among: stored.tables, named: name, session)
    }

    func read(
        _ migration: TableMigration,
        _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
    ) throws {
        let table = try rows(migration)
        let next = table.rows()
        while let row = try next() {
            let key = table.key(row)
            let place = setAside == nil ? [] : StoredBytes.bytes(of: .list(key))
            let record: StoredRecord
            do {
                let values = try table.values(row)
                record = .readable(
                    MigrationRecord(values, id: migration.id(of: values), at: place))
            } catch let error as RecordDecodingError {
                record = .unreadable(
                    place: place, id: nil,
                    reason: "a record of '\(migration.stored.name)' cannot be read (\(error.path))")
            }
            try body(record) { reason in try setAside?.add(key, of: table, reason) }
        }
    }

    func setAside(_ place: [UInt8], of migration: TableMigration, _ reason: String) throws {
        guard let setAside, case .list(let key) = try StoredBytes.value(of: place) else { return }
        try setAside.add(key, of: rows(migration), reason)
    }
}

/// A stored table that functions over several tables read while they run.
///
/// A record that is set aside is deleted from it, so that no later reading finds it.
final class StoredTableSource: MigrationSource {
    private let table: StoredTableRows
    private let setAside: SetAside?
    /// The fields that form the id.
    private let key: [Int]

    init(_ table: StoredTableRows, _ setAside: SetAside?) {
        self.table = table
        self.setAside = setAside
        key = table.table.entity.key
    }

    func scan() throws -> () throws -> MigrationSourceRecord? { records(table.rows()) }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        try find(key, place)?()?.values
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        let (condition, parameters) = table.isEqual(fields, values)
        return records(table.rows(where: condition, parameters))
    }

    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
        guard let setAside else { return false }
        let (condition, parameters) = table.isEqual(key, place)
        guard let row = try table.rows(where: condition, parameters)() else { return true }
        try setAside.move(table.key(row), of: table, reason)
        return true
    }

    /// Reads records. One that cannot be read is set aside.
    private func records(
        _ next: @escaping () throws -> [SQLValue]?
    ) -> () throws -> MigrationSourceRecord? {
        return { [self] in
            while let row = try next() {
                do {
                    let values = try table.values(row)
                    return (key.map { values[$0] }, values)
                } catch let error as RecordDecodingError {
                    let (place, name) = (table.key(row), table.stored.name)
                    guard let setAside else {
                        throw MigrationRecordFailure(
                            unreadable: name, error.path, id: place.identifierText)
                    }
                    try setAside.move(
                        place, of: table, MigrationRecordFailure.unreadable(name, error.path))
                }
            }
            return nil
        }
    }
}
