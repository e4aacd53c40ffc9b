internal import Foundation

/// A lossless binary encoding of values. Each value is a letter for its kind, the length of its
/// content in bytes as decimal digits, a colon, and the content.
///
/// Numbers and dates are encoded by their bits, decimals and UUIDs as text. A decoded value
/// therefore has the same position in every order. ``QueryCursor`` uses this encoding for its
/// string.
///
/// Examples: null is `n0:`, the string "ab" is `s2:ab`, and a list with this string is `l5:s2:ab`.
package struct StoredValueBytes {
    /// The encoded values so far.
    package private(set) var bytes: [UInt8] = []

    /// Starts without values.
    package init() {}

    /// Appends a value.
    package mutating func append(_ value: StoredValue) {
        switch value {
        case .null: append("n", [])
        case .bool(let value): append("b", [value ? 1 : 0])
        case .integer(let value): append("i", Self.bytes(of: UInt64(bitPattern: value)))
        case .double(let value): append("f", Self.bytes(of: value.bitPattern))
        case .decimal(let value): append("c", Array(value.description.utf8))
        case .date(let value):
            append("t", Self.bytes(of: value.timeIntervalSinceReferenceDate.bitPattern))
        case .uuid(let value): append("u", Array(value.uuidString.utf8))
        case .text(let value): append("s", Array(value.utf8))
        case .data(let value): append("d", Array(value))
        case .list(let elements):
            var inner = StoredValueBytes()
            for element in elements { inner.append(element) }
            append("l", inner.bytes)
        case .object(let fields):
            var inner = StoredValueBytes()
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                inner.append(.text(name))
                inner.append(value)
            }
            append("o", inner.bytes)
        }
    }

    /// Appends the kind, the length and the content.
    private mutating func append(_ kind: Character, _ content: [UInt8]) {
        bytes.append(contentsOf: "\(kind)\(content.count):".utf8)
        bytes.append(contentsOf: content)
    }

    /// Returns the eight bytes of a word, big-endian.
    private static func bytes(of word: UInt64) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
}

extension StoredValueBytes {
    /// Decodes the values in the bytes. Returns nil if the bytes are malformed.
    ///
    /// - Parameter depth: the maximum nesting depth, which bounds the recursion for untrusted
    ///   input.
    package static func values(of bytes: [UInt8], depth: Int = 8) -> [StoredValue]? {
        guard depth > 0 else { return nil }
        var values: [StoredValue] = []
        var rest = bytes[...]
        while let kind = rest.popFirst() {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), colon - rest.startIndex < 12,
                let count = Int(String(decoding: rest[..<colon], as: UTF8.self)), count >= 0,
                count <= rest.endIndex - colon - 1
            else { return nil }
            let content = rest[(colon + 1)..<(colon + 1 + count)]
            rest = rest[content.endIndex...]
            guard let value = value(kind, Array(content), depth) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Decodes the content of one value; nil if it is malformed.
    private static func value(_ kind: UInt8, _ content: [UInt8], _ depth: Int) -> StoredValue? {
        var text: String? { String(validating: content, as: UTF8.self) }
        var word: UInt64? {
            content.count == 8 ? content.reduce(0) { $0 << 8 | UInt64($1) } : nil
        }
        switch kind {
        case UInt8(ascii: "n"): return content.isEmpty ? .null : nil
        case UInt8(ascii: "b"): return content.count == 1 ? .bool(content[0] != 0) : nil
        case UInt8(ascii: "i"): return word.map { .integer(Int64(bitPattern: $0)) }
        case UInt8(ascii: "f"): return word.map { .double(Double(bitPattern: $0)) }
        case UInt8(ascii: "t"):
            return word.map {
                .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)))
            }
        case UInt8(ascii: "c"):
            return text.flatMap { StoredDecimal.value(ofText: $0) }.map { .decimal($0) }
        case UInt8(ascii: "u"): return text.flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
        case UInt8(ascii: "s"): return text.map { .text($0) }
        case UInt8(ascii: "d"): return .data(Data(content))
        case UInt8(ascii: "l"): return values(of: content, depth: depth - 1).map { .list($0) }
        case UInt8(ascii: "o"): return values(of: content, depth: depth - 1).flatMap(object)
        default: return nil
        }
    }

    /// Creates an object from alternating names and values; nil if they do not alternate.
    private static func object(_ parts: [StoredValue]) -> StoredValue? {
        guard parts.count.isMultiple(of: 2) else { return nil }
        var fields: [String: StoredValue] = [:]
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard case .text(let name) = parts[index] else { return nil }
            fields[name] = parts[index + 1]
        }
        return .object(fields)
    }
}
