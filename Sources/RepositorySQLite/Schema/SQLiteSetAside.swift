internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Sets aside the records that a migration cannot migrate, and what refers to them.
struct SQLiteSetAside {
    /// The file that receives the records.
    let file: SetAsideFile
    private let dialect = SQLiteDialect()

    init(_ file: SetAsideFile) { self.file = file }

    /// Adds the current record of a statement.
    ///
    /// - Parameters:
    ///   - statement: a statement that is positioned at a record.
    ///   - columns: the names of its columns.
    ///   - table: the stored table.
    ///   - reason: the problem.
    func add(
        _ statement: SQLiteStatement, columns: [String], table: StoredTable, _ reason: String
    ) throws {
        let keys = table.key.flatMap { table.field($0)?.columns ?? [] }
        try add(statement, columns, keys, table.name, reason)
    }

    private func add(
        _ statement: SQLiteStatement, _ columns: [String], _ keys: [String], _ table: String,
        _ reason: String
    ) throws {
        var values: [String: SetAsideValue] = [:]
        for (index, name) in columns.enumerated() { values[name] = Self.value(statement, index) }
        let id = keys.map { Self.text(values[$0] ?? .null) }.joined(separator: ",")
        try file.add(table: table, id: id, reason: reason, columns: values)
    }

    /// Returns the id of the current record of a statement as text. The columns of the statement
    /// are those of the table.
    static func id(_ statement: SQLiteStatement, of table: StoredTable) -> String {
        let columns = table.fields.flatMap(\.columns)
        let keys = table.key.flatMap { table.field($0)?.columns ?? [] }
        return keys.map { key in
            columns.firstIndex(of: key).map { text(value(statement, $0)) } ?? "?"
        }.joined(separator: ",")
    }

    /// Returns the value of a column. Text that is not valid UTF-8 is returned as bytes.
    private static func value(_ statement: SQLiteStatement, _ index: Int) -> SetAsideValue {
        if sqlite3_column_type(statement.handle, Int32(truncatingIfNeeded: index)) == SQLITE_TEXT,
            statement.validText(at: index) == nil
        {
            let column = Int32(truncatingIfNeeded: index)
            guard let bytes = sqlite3_column_blob(statement.handle, column) else { return .null }
            let count = Int(sqlite3_column_bytes(statement.handle, column))
            return .data(Data(bytes: bytes, count: count))
        }
        switch SQLiteHeldValue.value(statement.handle, index) {
        case .integer(let value)?: return .integer(value)
        case .double(let value)?: return .real(value)
        case .text(let value)?: return .text(value)
        case .data(let value)?: return .data(value)
        default: return .null
        }
    }

    private static func text(_ value: SetAsideValue) -> String {
        switch value {
        case .null: "?"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): value
        case .data(let value): value.base64EncodedString()
        }
    }

    /// Sets aside records that a condition selects, and deletes them.
    ///
    /// - Parameter condition: over the table, which is named `t`.
    /// - Returns: the number of records.
    private func move(
        _ table: SQLTable, where condition: String, _ reason: String,
        _ connection: SQLiteConnection
    ) throws -> Int {
        let columns = table.columns.map(\.name)
        let from = "FROM \(dialect.quoted(table.name)) AS t WHERE \(condition)"
        let select = try SQLiteStatement(
            "SELECT \(dialect.list(columns)) \(from)", on: connection.handle, isKept: false)
        var count = 0
        while try select.step() {
            try add(select, columns, table.keyNames, table.name, reason)
            count += 1
        }
        guard count > 0 else { return 0 }
        try connection.execute("DELETE \(from)")
        return count
    }

    /// Sets aside the records that share the values of a unique index, except the one with the
    /// smallest id of each group.
    func removeDuplicates(
        of index: TableIndex, _ table: SQLTable, _ connection: SQLiteConnection
    ) throws {
        _ = try move(
            table, where: SQLMigratedRecords.isDuplicate(of: index, in: table, dialect),
            SQLMigratedRecords.reason(index, in: table), connection)
    }

    /// Resolves references to records that are not there: optional ones become null, and records
    /// with a required one are set aside, and so on.
    ///
    /// - Parameters:
    ///   - tables: the tables of the schema.
    ///   - names: the tables with references to check.
    ///   - connection: the connection.
    func resolveReferences(
        among tables: [SQLTable], checking names: Set<String>, _ connection: SQLiteConnection
    ) throws {
        try SQLMigratedRecords.resolveReferences(among: tables, checking: names) {
            try resolve($0, of: $1, connection)
        }
    }

    /// Resolves one reference of a table.
    ///
    /// - Returns: whether records were set aside.
    private func resolve(
        _ reference: SQLReference, of table: SQLTable, _ connection: SQLiteConnection
    ) throws -> Bool {
        let condition = SQLMigratedRecords.isDangling(reference, dialect)
        if table.entity.layout.fields[reference.field].isOptional {
            let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
            // A record of which a check or a unique index forbids the null is set aside.
            try connection.execute(
                "UPDATE OR IGNORE \(dialect.quoted(table.name)) AS t SET \(values.joined(separator: ", ")) WHERE \(condition)"
            )
        }
        return try move(
            table, where: condition, SQLMigratedRecords.reason(reference, in: table), connection)
            > 0
    }
}
