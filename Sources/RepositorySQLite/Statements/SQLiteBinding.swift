internal import CSQLite
internal import Foundation

/// Binding of texts and bytes. SQLite copies them (`SQLITE_TRANSIENT`), for Swift's pointers end with
/// the call, unless they are in the connection's own memory.
enum SQLiteBinding {
    /// SQLITE_TRANSIENT, a cast that C's importer leaves out.
    // Never written after it is made; a function pointer is not Sendable to the compiler.
    nonisolated(unsafe) static let copy = unsafeBitCast(
        -1, to: sqlite3_destructor_type.self)

    /// Binds text as UTF-8 with its length. The empty text is no null.
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

    /// Binds text that stands in a memory until the statement has run (`SQLITE_STATIC`).
    @inline(__always)
    static func text(
        _ value: String, in memory: SQLiteTextMemory, _ statement: OpaquePointer, _ number: Int32
    ) -> Int32 {
        // Where it stands, as all texts do but those that Objective-C has made.
        let bound = value.utf8.withContiguousStorageIfAvailable { bytes -> Int32? in
            guard let start = memory.keep(bytes) else { return nil }
            return sqlite3_bind_text64(
                statement, number, start, sqlite3_uint64(bytes.count), nil, UInt8(SQLITE_UTF8))
        }
        return (bound ?? nil) ?? text(value, statement, number)
    }

    /// Binds bytes. No bytes are no null.
    static func data(_ value: Data, _ statement: OpaquePointer, _ number: Int32) -> Int32 {
        guard !value.isEmpty else { return sqlite3_bind_zeroblob(statement, number, 0) }
        return value.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                statement, number, bytes.baseAddress, sqlite3_uint64(bytes.count), copy)
        }
    }

    /// Binds a UUID as its upper-case text, without making a string of it.
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

    private static func digit(_ value: UInt8) -> CChar {
        CChar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }
}
