import CSQLite
import Foundation

/// The original SQLite file, read by plain SQL.
struct OriginalDatabase {
    private let path: String

    init(folder: URL) {
        path = folder.appending(path: "Chinook.sqlite").path
    }

    /// What went wrong with the file.
    struct Failure: Error {
        let message: String
    }

    /// The rows of a query; each value as text, null as nil.
    func rows(_ sql: String) throws -> [[String?]] {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        // immutable=1: the file may lie in a folder that cannot be written.
        let uri = "file:\(path)?mode=ro&immutable=1"
        guard
            sqlite3_open_v2(uri, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
                == SQLITE_OK
        else {
            throw Failure(message: "cannot open \(path)")
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(database)))
        }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
        }
        return rows
    }
}
