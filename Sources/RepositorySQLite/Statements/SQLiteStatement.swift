internal import CSQLite

/// A prepared statement. Used by one thread at a time, as its connection is.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let text: String

    /// Prepares a statement.
    ///
    /// - Parameter isKept: whether it lives as long as its connection.
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

    /// Goes to the next row; false after the last.
    @inline(__always)
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    /// Makes it ready for the next time and gives up its read lock. Its code repeats the error of
    /// the last step, which was thrown there.
    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// The error of the last call on the connection, which must have been on this statement.
    func failure() -> SQLiteError { SQLiteError(connection, statement: text) }
}

extension SQLiteStatement {
    /// Binds an integer to a parameter counted from 1.
    func bind(_ value: Int64, at number: Int) throws {
        guard sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: number), value) == SQLITE_OK
        else { throw failure() }
    }

    /// Binds text to a parameter counted from 1.
    func bind(_ value: String, at number: Int) throws {
        guard SQLiteBinding.text(value, handle, Int32(truncatingIfNeeded: number)) == SQLITE_OK
        else { throw failure() }
    }

    /// The text of a column counted from 0, whatever its type; nil for null.
    func text(at column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The text of a column counted from 0; nil where its bytes are no UTF-8, of which ``text(at:)`` makes another text.
    func validText(at column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The integer of a column counted from 0.
    func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }
}
