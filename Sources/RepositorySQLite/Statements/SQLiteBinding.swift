internal import CSQLite
internal import Foundation

/// Binds strings and data to the parameters of a statement.
///
/// SQLite copies the bytes (`SQLITE_TRANSIENT`), because pointers into Swift values are valid only
/// during the call. It does not copy strings that are stored in the connection's
/// ``SQLiteTextMemory``.
///
/// The functions return SQLite's result code.
enum SQLiteBinding {
    /// `SQLITE_TRANSIENT`, a macro with a cast that Swift does not import.
    // It is never changed, but the compiler does not treat a C function pointer as `Sendable`.
    nonisolated(unsafe) static let copy = unsafeBitCast(
        -1, to: sqlite3_destructor_type.self)

    /// Binds a string as UTF-8 with its length. The empty string is bound as empty text, not as
    /// null.
    @inline(__always)
    static func text(_ value: String, _ statement: OpaquePointer, _ number: Int32) -> Int32 {
        var value = value
        return value.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_text(statement, number, "", 0, copy)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(
                    statement, number, $0, sqlite3_uint64(bytes.count), copy, UInt8(SQLITE_UTF8))
            }
        }
    }

    /// Binds a string that is kept in `memory` until the statement has run (`SQLITE_STATIC`).
    ///
    /// It falls back to a copy by SQLite if `memory` is full or the string has no contiguous UTF-8
    /// storage.
    @inline(__always)
    static func text(
        _ value: String, in memory: SQLiteTextMemory, _ statement: OpaquePointer, _ number: Int32
    ) -> Int32 {
        // Native Swift strings have contiguous UTF-8 storage; bridged Objective-C strings may not.
        let bound = value.utf8.withContiguousStorageIfAvailable { bytes -> Int32? in
            guard let start = memory.keep(bytes) else { return nil }
            return sqlite3_bind_text64(
                statement, number, start, sqlite3_uint64(bytes.count), nil, UInt8(SQLITE_UTF8))
        }
        return (bound ?? nil) ?? text(value, statement, number)
    }

    /// Binds data as a blob. Empty data is bound as an empty blob, not as null.
    static func data(_ value: Data, _ statement: OpaquePointer, _ number: Int32) -> Int32 {
        guard !value.isEmpty else { return sqlite3_bind_zeroblob(statement, number, 0) }
        return value.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                statement, number, bytes.baseAddress, sqlite3_uint64(bytes.count), copy)
        }
    }

    /// Binds a UUID as upper-case text without allocating a string.
    static func uuid(_ value: UUID, _ statement: OpaquePointer, _ number: Int32) -> Int32 {
        withUnsafeBytes(of: value.uuid) { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 36) { text in
                var next = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text.initializeElement(at: next, to: CChar(UInt8(ascii: "-")))
                        next += 1
                    }
                    text.initializeElement(at: next, to: digit(byte >> 4))
                    text.initializeElement(at: next + 1, to: digit(byte & 15))
                    next += 2
                }
                return sqlite3_bind_text(statement, number, text.baseAddress, 36, copy)
            }
        }
    }

    /// Returns the upper-case hexadecimal digit of a value below 16.
    private static func digit(_ value: UInt8) -> CChar {
        CChar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }
}
