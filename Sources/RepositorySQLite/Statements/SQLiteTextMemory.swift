/// A buffer for the strings that are bound to a statement.
///
/// SQLite reads the strings from the buffer; otherwise it would allocate and free a copy of each.
///
/// A connection owns the buffer and finalizes its statements before the buffer is freed. Use it
/// only for statements that are bound and run without interruption: the next statement that uses
/// the buffer overwrites its content.
final class SQLiteTextMemory {
    /// The size of the buffer in bytes.
    private static let capacity = 16 * 1024

    /// The buffer. It is never reallocated, because SQLite has pointers into it.
    private let start = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    /// The number of used bytes.
    private var used = 0

    deinit { start.deallocate() }

    /// Discards the strings of the previous statement.
    @inline(__always)
    func clear() { used = 0 }

    /// Copies a string into the buffer.
    ///
    /// - Returns: the address of the copy; `nil` if the buffer has no room for it or the string is
    ///   empty.
    @inline(__always)
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let source = text.baseAddress, !text.isEmpty, text.count <= Self.capacity - used
        else { return nil }
        let place = start + used
        UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: text.count)
        used += text.count
        return UnsafePointer(place)
    }
}
