internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteValues {
    /// Returns the value of a column of the current row.
    ///
    /// - Parameters:
    ///   - statement: a statement that is positioned at a row.
    ///   - column: the index of the column, starting at 0.
    ///   - form: the representation of the column.
    ///   - table: the table of the record, for the error.
    /// - Throws: `invalidRecord` if the column contains something that the representation does not
    ///   allow.
    static func value(
        of statement: SQLiteStatement, at column: Int, _ form: SQLColumnForm, _ table: SQLTable
    ) throws -> StoredValue {
        let place = Int32(truncatingIfNeeded: column)
        let type = sqlite3_column_type(statement.handle, place)
        if type == SQLITE_NULL { return .null }
        if form.isOther {
            let held = SQLiteHeldValue.value(statement.handle, column)
            if let value = held.flatMap({ SQLiteOtherForms.value($0, form) }) { return value }
            throw CRUDRepositoryError(
                .invalidRecord, "A record of '\(table.name)' holds a value of another form.",
                table: table.name)
        }
        switch (form, type) {
        case (.boolean, SQLITE_INTEGER): return .bool(statement.integer(at: column) != 0)
        case (.integer, SQLITE_INTEGER): return .integer(statement.integer(at: column))
        case (.scaledDecimal(let scale), SQLITE_INTEGER):
            let integer = statement.integer(at: column)
            return .decimal(StoredDecimal.decimal(scaledInteger: integer, scale: scale))
        case (.date, SQLITE_INTEGER):
            return .date(StoredDate.date(microseconds: statement.integer(at: column)))
        case (.float, SQLITE_FLOAT), (.double, SQLITE_FLOAT):
            return .double(sqlite3_column_double(statement.handle, place))
        // A column whose affinity is not REAL may convert whole numbers to integers.
        case (.float, SQLITE_INTEGER), (.double, SQLITE_INTEGER):
            return .double(sqlite3_column_double(statement.handle, place))
        case (.text, SQLITE_TEXT):
            if let text = statement.validText(at: column) { return .text(text) }
        case (.uuid, SQLITE_TEXT):
            if var text = statement.text(at: column),
                let uuid = text.withUTF8({ SQLiteUUIDText.uuid($0, in: .upper) })
            {
                return .uuid(uuid)
            }
        case (.decimal, SQLITE_TEXT):
            if let number = statement.text(at: column).flatMap({ StoredDecimal.value(ofText: $0) })
            {
                return .decimal(number)
            }
        case (.data, SQLITE_BLOB): return .data(statement.data(at: column))
        default: break
        }
        throw CRUDRepositoryError(
            .invalidRecord, "A record of '\(table.name)' holds a value of another type.",
            table: table.name)
    }
}

extension SQLiteStatement {
    /// Returns the bytes of a column. Columns are numbered from 0.
    func data(at column: Int) -> Data {
        let column = Int32(truncatingIfNeeded: column)
        // SQLite requires that the pointer is requested before the length. It is null for an empty
        // blob.
        guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
