import CSQLite
import Foundation

/// A plain connection, as any other program has one.
final class PlainDatabase {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw Failure(description: "cannot open \(path)")
        }
        // A store may just be moving its log into the file.
        sqlite3_busy_timeout(opened, 3_600_000)
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements.
    func run(_ text: String) throws {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// The rows of a query as text; null is `NULL`.
    func rows(_ text: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
            throw failure()
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    })
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// The first value of the first row.
    func value(_ text: String) throws -> String? { try rows(text).first?.first }

    private func failure() -> Failure {
        Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
}
