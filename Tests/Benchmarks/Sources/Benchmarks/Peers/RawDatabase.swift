import Foundation
import RepositoryRuntime
import SQLiteAPI

/// The functions of SQLite as somebody would call them who writes them out for this one record.
final class RawDatabase {
    private let handle: OpaquePointer

    /// A failure of SQLite.
    struct Failure: Error {
        let code: Int32
    }

    static let columns = "id, station, quantity, note, count, value, is_valid, taken_at"
    static let insert = "INSERT INTO readings (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        try Self.check(sqlite3_open_v2(path, &opened, flags, nil))
        guard let opened else { throw Failure(code: SQLITE_NOMEM) }
        handle = opened
        // The store that made the table may still be closing it.
        sqlite3_busy_timeout(handle, 10_000)
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA cache_size = -8192")
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ text: String) throws {
        try Self.check(sqlite3_exec(handle, text, nil, nil, nil))
    }

    func prepare(_ text: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        try Self.check(
            sqlite3_prepare_v3(
                handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw Failure(code: SQLITE_MISUSE) }
        return statement
    }

    /// Runs a statement that gives no rows.
    static func run(_ statement: OpaquePointer) throws {
        defer { sqlite3_reset(statement) }
        guard sqlite3_step(statement) == SQLITE_DONE else {
            throw Failure(code: sqlite3_errcode(sqlite3_db_handle(statement)))
        }
    }

    static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    static func bind(_ text: String, _ statement: OpaquePointer, _ place: Int32) throws {
        // SQLite keeps a copy, because the text lives no longer than the call.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        var text = text
        try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { characters in
                try check(
                    sqlite3_bind_text(
                        statement, place, characters.baseAddress, Int32(bytes.count), copied))
            }
        }
    }

    static func bind(_ reading: Reading, _ statement: OpaquePointer) throws {
        try bind(reading.id.rawValue, statement, 1)
        try bind(reading.station, statement, 2)
        try bind(reading.quantity, statement, 3)
        try bind(reading.note, statement, 4)
        try check(sqlite3_bind_int64(statement, 5, Int64(reading.count)))
        try check(sqlite3_bind_double(statement, 6, reading.value))
        try check(sqlite3_bind_int64(statement, 7, reading.isValid ? 1 : 0))
        try check(sqlite3_bind_int64(statement, 8, StoredDate.microseconds(reading.takenAt)))
    }

    static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    static func reading(_ statement: OpaquePointer) -> Reading {
        Reading(
            id: Reading.ID(text(statement, 0)), station: text(statement, 1),
            quantity: text(statement, 2), note: text(statement, 3),
            count: Int(sqlite3_column_int64(statement, 4)),
            value: sqlite3_column_double(statement, 5),
            isValid: sqlite3_column_int64(statement, 6) != 0,
            takenAt: StoredDate.date(microseconds: sqlite3_column_int64(statement, 7)))
    }
}
