/// The bytes of the texts that a statement is given. SQLite reads them where they stand; it would otherwise allocate a copy
/// of each, and free it.
///
/// It belongs to a connection, which finalises its statements before this is freed. It is for statements that are bound and
/// run in one go: the next one that takes it writes over what is there.
final class SQLiteTextMemory {
    private static let capacity = 16 * 1024

    private let start = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    private var used = 0

    deinit { start.deallocate() }

    /// Forgets the texts of the statement before.
    @inline(__always)
    func clear() { used = 0 }

    /// Copies a text; nil where there is no room for it, or nothing to be copied.
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
