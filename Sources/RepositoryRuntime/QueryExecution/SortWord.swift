internal import Foundation

/// A value in fixed size, which compares in the order of ``StoredValue``, as the bytes of
/// ``IndexKeyWriter`` do.
///
/// Sorting compares many values: a word needs no memory of its own and no reference count.
struct SortWord {
    /// The kind of the value, in the order of kinds.
    private var kind: UInt64
    /// The value, or its first bytes.
    private var high: UInt64
    private var low: UInt64

    /// Makes the word of a value. In a descending order, all bits are inverted.
    init(_ value: StoredValue, descending: Bool) {
        let kind: IndexKeyWriter.Kind
        (high, low) = (0, 0)
        switch value {
        case .bool(let value): (kind, high) = (.bool, value ? 1 : 0)
        case .integer(let value): (kind, high) = (.integer, UInt64(bitPattern: value) ^ 1 << 63)
        case .double(let value): (kind, high) = (.double, value.sortBits)
        case .date(let value):
            (kind, high) = (.date, value.timeIntervalSinceReferenceDate.sortBits)
        case .uuid(let value):
            kind = .uuid
            (high, low) = withUnsafeBytes(of: value.uuid) { Self.words(of: $0) }
        case .text(let text):
            kind = .text
            (high, low) = Self.words(of: text)
        // ``StoredType/hasSortWords`` excludes the others.
        case .null, .decimal, .data, .list, .object: kind = .null
        }
        self.kind = UInt64(kind.rawValue)
        if descending { (self.kind, high, low) = (~self.kind, ~high, ~low) }
    }

    /// Returns the first 15 bytes of a string, followed by the number of bytes, or by 255 if there
    /// are more.
    private static func words(of text: String) -> (high: UInt64, low: UInt64) {
        text.withUTF8Bytes { utf8 in
            let start = words(
                of: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(utf8).prefix(15)))
            return (start.high, start.low | (utf8.count > 15 ? 255 : UInt64(utf8.count)))
        }
    }

    /// Returns at most 16 bytes, filled up with zeros, as big-endian words.
    private static func words(of bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var words = (high: UInt64(0), low: UInt64(0))
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
        return (UInt64(bigEndian: words.high), UInt64(bigEndian: words.low))
    }

    /// Compares two words of the same sort key: below 0 if the first one comes first; 0 if their
    /// values are equal, or ``isBeginning``.
    @inline(__always)
    func compare(_ other: SortWord) -> Int {
        if kind != other.kind { return kind < other.kind ? -1 : 1 }
        if high != other.high { return high < other.high ? -1 : 1 }
        return low == other.low ? 0 : low < other.low ? -1 : 1
    }

    /// Whether the word holds the beginning of a longer string, so that equal words need not mean
    /// equal values.
    func isBeginning(descending: Bool) -> Bool {
        let word = descending ? (kind: ~kind, low: ~low) : (kind: kind, low: low)
        return word.kind == UInt64(IndexKeyWriter.Kind.text.rawValue) && word.low & 255 == 255
    }
}

extension StoredType {
    /// Whether values of the type, or null, have words.
    var hasSortWords: Bool {
        switch self {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .float, .double,
            .date, .text, .url, .uuid, .localDate:
            true
        case .decimal, .data, .composite, .object, .list, .map, .externalData: false
        }
    }
}
