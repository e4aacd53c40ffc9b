internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Reads the value that a column contains, by its SQLite storage class.
///
/// It knows nothing of the declared type; ``SQLiteOtherForms`` converts the result.
enum SQLiteHeldValue {
    /// Returns the value of a column of the current row; `nil` for null.
    ///
    /// - Parameters:
    ///   - statement: a statement that is positioned at a row.
    ///   - column: the index of the column, starting at 0.
    static func value(_ statement: OpaquePointer, _ column: Int) -> StoredValue? {
        let place = Int32(truncatingIfNeeded: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, place))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, place))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, place) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, place))
            return .text(
                String(
                    decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            // SQLite requires that the pointer is requested before the length. It is null for an
            // empty blob.
            guard let bytes = sqlite3_column_blob(statement, place) else { return .data(Data()) }
            return .data(
                Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, place))))
        default: return nil
        }
    }
}
