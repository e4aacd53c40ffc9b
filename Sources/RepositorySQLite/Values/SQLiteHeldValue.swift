internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// What a column holds, in SQLite's own types.
enum SQLiteHeldValue {
    /// The value of a column of the present row, counted from 0; nil for null.
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
            // The pointer comes before the length, as SQLite asks; no bytes have no pointer.
            guard let bytes = sqlite3_column_blob(statement, place) else { return .data(Data()) }
            return .data(
                Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, place))))
        default: return nil
        }
    }
}
