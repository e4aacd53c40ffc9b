/// The first 15 bytes of an index key and the number of its bytes, in two words. It identifies a
/// key of at most 15 bytes, and needs no allocation.
struct ShortIndexKey: Hashable, Sendable {
    /// The number of bytes that it holds.
    private static let capacity = 15

    /// The bytes, filled up with zeros, and their number, which is at most 255.
    private var words = (high: UInt64(0), low: UInt64(0))

    /// Takes the beginning of a key.
    init(_ key: IndexKey) {
        let count = key.bytes.count
        key.bytes.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &words) { words in
                words.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.capacity)))
                words[Self.capacity] = UInt8(min(count, 255))
            }
        }
    }

    /// Writes the key of one text, ascending, as ``IndexKeyWriter`` does: its kind, its bytes and a
    /// terminator. Returns nil if the key is longer, or if a byte must be escaped.
    init?(text: String) {
        var filled = (high: UInt64(0), low: UInt64(0))
        let isShort = text.withUTF8Bytes { utf8 in
            guard utf8.count <= Self.capacity - 2, utf8.allSatisfy({ $0 > 1 }) else {
                return false
            }
            withUnsafeMutableBytes(of: &filled) { words in
                words[0] = IndexKeyWriter.Kind.text.rawValue
                for place in utf8.indices { words[place + 1] = utf8[place] }
                words[Self.capacity] = UInt8(utf8.count + 2)
            }
            return true
        }
        guard isShort else { return nil }
        words = filled
    }

    /// Whether it holds all bytes of the key.
    var isWhole: Bool { withUnsafeBytes(of: words) { $0[Self.capacity] <= Self.capacity } }

    static func == (left: ShortIndexKey, right: ShortIndexKey) -> Bool {
        left.words == right.words
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.high)
        hasher.combine(words.low)
    }
}
