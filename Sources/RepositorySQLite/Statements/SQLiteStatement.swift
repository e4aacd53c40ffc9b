internal import CSQLite
internal import Foundation

/// A prepared statement. Only one thread at a time may use it, as with its connection.
///
/// The statement is finalized when the object is released. It does not retain the connection, which
/// must outlive it.
final class SQLiteStatement {
    /// The `sqlite3_stmt`.
    let handle: OpaquePointer
    /// The `sqlite3` of the connection, for error messages.
    private let connection: OpaquePointer
    /// The SQL, for error messages. It contains no values.
    private let text: String

    /// Prepares a statement.
    ///
    /// - Parameters:
    ///   - text: the SQL. SQLite ignores everything after the first statement.
    ///   - connection: the `sqlite3` of the connection.
    ///   - isKept: whether the statement is cached as long as its connection, which is a hint to
    ///     SQLite's allocator (`SQLITE_PREPARE_PERSISTENT`).
    /// - Throws: `SQLiteError`.
    init(_ text: String, on connection: OpaquePointer, isKept: Bool) throws {
        var text = text
        var handle: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_prepare_v3(
                    connection, characters.baseAddress, Int32(clamping: characters.count), flags,
                    &handle, nil)
            }
        }
        guard code == SQLITE_OK, let handle else {
            throw SQLiteError(connection, statement: text)
        }
        self.handle = handle
        self.connection = connection
        self.text = text
    }

    deinit { sqlite3_finalize(handle) }

    /// Advances to the next row.
    ///
    /// - Returns: `false` after the last row.
    @inline(__always)
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Runs a statement to its end, ignoring its rows, and resets it.
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    /// Resets the statement so that it can run again, and releases its read lock.
    ///
    /// The result code is ignored: it repeats the error of the last step, which ``step()`` has
    /// thrown.
    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Returns the error of the last call on the connection. That call must have been for this
    /// statement.
    func failure() -> SQLiteError { SQLiteError(connection, statement: text) }
}

extension SQLiteStatement {
    /// Binds an integer to a parameter. Parameters are numbered from 1.
    func bind(_ value: Int64, at number: Int) throws {
        guard sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: number), value) == SQLITE_OK
        else { throw failure() }
    }

    /// Binds a string to a parameter. Parameters are numbered from 1.
    func bind(_ value: String, at number: Int) throws {
        guard SQLiteBinding.text(value, handle, Int32(truncatingIfNeeded: number)) == SQLITE_OK
        else { throw failure() }
    }

    /// Binds data, which SQLite copies, to a parameter. Parameters are numbered from 1.
    func bind(_ value: Data, at number: Int) throws {
        guard SQLiteBinding.data(value, handle, Int32(truncatingIfNeeded: number)) == SQLITE_OK
        else { throw failure() }
    }

    /// Returns the text of a column, converted if it has another type; `nil` for null. Columns are
    /// numbered from 0.
    func text(at column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns the text of a column; nil if its bytes are not valid UTF-8, which ``text(at:)``
    /// repairs. Columns are numbered from 0.
    func validText(at column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns the integer of a column, converted if it has another type. Columns are numbered from
    /// 0.
    func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }
}
