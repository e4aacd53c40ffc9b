internal import Foundation

/// The encoding of index pages and directories.
///
/// The encoding is a four-byte mark that contains the format version, the content, and a checksum
/// of eight bytes. Numbers are written as little-endian base 128: seven bits per byte, lowest bits
/// first. Keys are prefix-compressed: the length of the prefix shared with the previous key, the
/// length of the rest, and the rest.
///
/// The decoding functions return nil for damaged bytes, and never trap.
///
/// | Content | Fields |
/// |---|---|
/// | page | `RIP1`, number of keys, keys, checksum |
/// | directory | `RID1`, next page number, number of pages, lower bounds, page numbers, checksum |
enum IndexPageBytes {
    /// The mark of a page. The digit is the version of the encoding.
    private static let pageMark = Array("RIP1".utf8)
    /// The mark of a directory.
    private static let directoryMark = Array("RID1".utf8)

    /// Returns the bytes of a page.
    static func encode(page keys: [IndexKey]) -> Data {
        var writer = IndexBytesWriter(pageMark)
        writer.append(keys)
        return writer.data()
    }

    /// Returns the keys of a page; nil if the bytes are damaged.
    static func page(_ data: Data) -> [IndexKey]? {
        guard var reader = IndexBytesReader(data, pageMark), let keys = reader.keys(),
            reader.isAtEnd
        else { return nil }
        return keys
    }

    /// Returns the keys of a page that lie in a range, without creating the other keys; nil if the
    /// bytes are damaged.
    static func keys(_ data: Data, in range: IndexKeyRange) -> [IndexKey]? {
        guard var reader = IndexBytesReader(data, pageMark) else { return nil }
        return reader.keys(in: range)
    }

    /// Returns the bytes of a directory.
    static func encode(_ directory: IndexDirectory) -> Data {
        var writer = IndexBytesWriter(directoryMark)
        writer.append(directory.nextPage)
        writer.append(directory.entries.map(\.lower))
        for entry in directory.entries { writer.append(entry.page) }
        return writer.data()
    }

    /// Returns the directory; nil if the bytes are damaged.
    static func directory(_ data: Data) -> IndexDirectory? {
        guard var reader = IndexBytesReader(data, directoryMark), let nextPage = reader.number(),
            let lowers = reader.keys()
        else { return nil }
        var entries: [IndexDirectory.Entry] = []
        for lower in lowers {
            guard let page = reader.number() else { return nil }
            entries.append(IndexDirectory.Entry(lower: lower, page: page))
        }
        guard reader.isAtEnd else { return nil }
        return IndexDirectory(entries: entries, nextPage: nextPage)
    }
}

/// Writes numbers, byte strings and keys in the encoding of ``IndexPageBytes``.
struct IndexBytesWriter {
    private var bytes: [UInt8]

    /// Starts with a mark, which identifies the kind of content and the format version.
    init(_ mark: [UInt8]) { bytes = mark }

    /// Appends a non-negative number in base 128.
    mutating func append(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a byte string, preceded by its length.
    mutating func append(_ text: [UInt8]) {
        append(text.count)
        bytes += text
    }

    /// Appends eight bytes, little-endian.
    mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
    }

    /// Appends the number of keys and the keys, prefix-compressed.
    mutating func append(_ keys: [IndexKey]) {
        append(keys.count)
        var last: [UInt8] = []
        for key in keys {
            let shared = zip(last, key.bytes).prefix { $0 == $1 }.count
            append(shared)
            append(key.bytes.count - shared)
            bytes += key.bytes[shared...]
            last = key.bytes
        }
    }

    /// Returns the written bytes with their checksum.
    func data() -> Data {
        var copy = self
        copy.append(word: Self.checksum(bytes[...]))
        return Data(copy.bytes)
    }

    /// Returns the 64-bit FNV-1a hash (Fowler–Noll–Vo) of the bytes.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
    }
}

/// Reads what ``IndexBytesWriter`` wrote. Each method returns nil at the end of the bytes or for
/// invalid content.
///
/// The checksum is verified before anything is read. The methods nevertheless check all lengths, so
/// that no input can cause an access out of bounds.
struct IndexBytesReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    /// Starts after the mark; nil if the mark or the checksum does not match.
    init?(_ data: Data, _ mark: [UInt8]) {
        bytes = Array(data)
        position = mark.count
        end = bytes.count - 8
        guard end >= mark.count, bytes.starts(with: mark) else { return nil }
        guard Self.word(bytes, end) == IndexBytesWriter.checksum(bytes[..<end]) else { return nil }
    }

    /// Returns the eight bytes at a position as a little-endian number. The position must be valid.
    private static func word(_ bytes: [UInt8], _ position: Int) -> UInt64 {
        bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    /// Whether all bytes before the checksum were read.
    var isAtEnd: Bool { position == end }

    /// Reads a number in base 128; nil if it is longer than 63 bits.
    mutating func number() -> Int? {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(result) }
        }
        return nil
    }

    /// Reads eight bytes, little-endian.
    mutating func word() -> UInt64? {
        guard end - position >= 8 else { return nil }
        defer { position += 8 }
        return Self.word(bytes, position)
    }

    /// Reads a byte string that is preceded by its length.
    mutating func text() -> [UInt8]? {
        guard let count = number(), count <= end - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads all keys.
    mutating func keys() -> [IndexKey]? {
        guard let count = number(), count <= end - position else { return nil }
        var keys: [IndexKey] = []
        keys.reserveCapacity(count)
        var last: [UInt8] = []
        for _ in 0..<count {
            guard let shared = number(), shared <= last.count, let length = number(),
                length <= end - position
            else { return nil }
            last = joined(last, shared, length)
            position += length
            keys.append(IndexKey(last))
        }
        return keys
    }

    /// Reads the sorted keys that lie in a range. Decodes every key before the end of the range.
    ///
    /// Bytes after the end of the range are covered by the checksum but not decoded.
    mutating func keys(in range: IndexKeyRange) -> [IndexKey]? {
        guard let count = number(), count <= end - position else { return nil }
        var keys: [IndexKey] = []
        // One buffer is reused for all skipped keys.
        var last: [UInt8] = []
        for _ in 0..<count {
            guard let shared = number(), shared <= last.count, let length = number(),
                length <= end - position
            else { return nil }
            last.removeLast(last.count - shared)
            last += bytes[position..<position + length]
            position += length
            if IndexKey(last) < range.lower { continue }
            guard IndexKey(last) < range.upper else { break }
            keys.append(IndexKey(last))
        }
        return keys
    }

    /// Returns the first bytes of the last key followed by the bytes at the current position.
    /// Allocates once per key, because a page has hundreds of keys.
    private func joined(_ last: [UInt8], _ shared: Int, _ length: Int) -> [UInt8] {
        if shared + length == 0 { return [] }
        return Array(unsafeUninitializedCapacity: shared + length) { buffer, count in
            last.withUnsafeBufferPointer { last in
                bytes.withUnsafeBufferPointer { bytes in
                    _ = buffer.update(fromContentsOf: last[..<shared])
                    _ = buffer[shared...].update(
                        fromContentsOf: bytes[position..<position + length])
                }
            }
            count = shared + length
        }
    }
}
