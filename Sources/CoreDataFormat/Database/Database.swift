internal import CSQLite
internal import Foundation

/// A connection to the copy of a store, which only reads.
///
/// The conformance to `Sendable` is unchecked. It is valid because SQLite serializes the calls of the
/// connection, and one task at a time uses a query.
final class Database: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The number of frames in the write-ahead log that belong to the database.
    let logFrames: Int

    /// Opens a copy, and moves its write-ahead log or its journal into it.
    ///
    /// - Throws: ``CoreDataFileError``.
    init(path: String) throws(CoreDataFileError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
        guard let opened else {
            throw CoreDataFileError(.unreadable, "SQLite cannot be opened: out of memory.")
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        guard code == SQLITE_OK else {
            let error = Self.error(opened)
            sqlite3_close_v2(opened)
            throw error
        }
        var frames: Int32 = 0
        // What the file declares is not trusted: its functions and tables run no code.
        var result = sqlite3_exec(
            opened, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON", nil, nil, nil)
        if result == SQLITE_OK {
            result = sqlite3_exec(opened, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
        }
        if result == SQLITE_OK {
            result = sqlite3_wal_checkpoint_v2(
                opened, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, nil)
        }
        if result == SQLITE_OK {
            result = sqlite3_exec(opened, "PRAGMA query_only=ON; BEGIN", nil, nil, nil)
        }
        logFrames = max(0, Int(frames))
        guard result == SQLITE_OK else {
            let error = Self.error(opened)
            sqlite3_close_v2(opened)
            throw error
        }
    }

    deinit { sqlite3_close_v2(handle) }

    fileprivate static func error(_ handle: OpaquePointer) -> CoreDataFileError {
        let text = String(cString: sqlite3_errmsg(handle))
        let code = sqlite3_errcode(handle) & 0xFF
        let kind: CoreDataFileError.Kind =
            code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR
            ? .damaged : .unreadable
        return CoreDataFileError(kind, "SQLite cannot read the store: \(text).")
    }

    /// Prepares a query.
    ///
    /// - Throws: ``CoreDataFileError``.
    func query(_ text: String) throws(CoreDataFileError) -> Query { try Query(text, handle, self) }

    /// Returns the integers of the first row of a query; `nil` if it has none.
    ///
    /// - Throws: ``CoreDataFileError``.
    func number(_ text: String) throws(CoreDataFileError) -> Int? {
        let query = try query(text)
        return try query.step() ? query.integer(0) : nil
    }

    /// Returns a name as an identifier of SQL.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

/// A query of the store.
final class Query {
    private let statement: OpaquePointer
    private let handle: OpaquePointer
    /// Keeps the connection open.
    private let database: Database

    fileprivate init(
        _ text: String, _ handle: OpaquePointer, _ database: Database
    ) throws(CoreDataFileError) {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, text, -1, &prepared, nil) == SQLITE_OK, let prepared
        else { throw Database.error(handle) }
        statement = prepared
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    /// Sets a parameter, counted from 1, and starts from the first row.
    func restart(_ values: Int...) {
        sqlite3_reset(statement)
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(statement, Int32(index + 1), Int64(value))
        }
    }

    /// Moves to the next row.
    ///
    /// - Returns: whether there is one.
    /// - Throws: ``CoreDataFileError``.
    func step() throws(CoreDataFileError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw Database.error(handle)
        }
    }

    /// Returns a column as it is stored.
    func value(_ column: Int) -> StoredColumn {
        let index = Int32(truncatingIfNeeded: column)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, index) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, index))
            return .text(
                String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, index))
            guard let start = sqlite3_column_blob(statement, index) else { return .blob(Data()) }
            return .blob(Data(bytes: start, count: count))
        default: return .null
        }
    }

    /// Returns the integer of a column; `nil` for null and other types.
    func integer(_ column: Int) -> Int? {
        guard case .integer(let value) = value(column) else { return nil }
        return Int(value)
    }

    /// Returns the text of a column; `nil` for null and other types.
    func text(_ column: Int) -> String? {
        guard case .text(let value) = value(column) else { return nil }
        return value
    }
}

/// What a column contains.
enum StoredColumn: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
