import CSQLite
import Foundation

/// A database file, as any other program opens it.
final class PlainFile {
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
        try run("PRAGMA foreign_keys = ON")
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements.
    func run(_ text: String) throws {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// The rows of a query as text; null is `NULL`.
    func rows(_ text: String) throws -> [[String]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(handle)))
        }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                })
        }
        return rows
    }

    /// The first column of a query.
    func values(_ text: String) throws -> [String] { try rows(text).compactMap(\.first) }

    /// Everything that was ever created in it.
    func objects() throws -> [[String]] {
        try rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
    }
}

/// Runs a body with the path of a file in a new folder, which is removed afterwards.
func withFile<R>(_ body: (String) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "foreign-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "data.sqlite").path)
}
