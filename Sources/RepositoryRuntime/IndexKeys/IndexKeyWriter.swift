internal import Foundation

/// Encodes values as bytes that compare in the order of ``StoredValue``.
///
/// A value is one byte for its kind, in the order of kinds, followed by:
/// - integers: eight bytes, big-endian, with the sign bit inverted
/// - doubles and dates: the bits of the `Double`, big-endian, with the sign bit inverted, or all
///   bits inverted if the number is negative
/// - decimals: see ``append(decimal:)``
/// - strings and data: their bytes, terminated by 0; a byte 0 is escaped as (1,1), and a byte 1 as
///   (1,2)
/// - lists and objects: their elements, terminated by 0, which is smaller than every kind
///
/// In a descending field, all bits are inverted.
///
/// Examples, in hexadecimal:
/// - the integer 1: `03 80 00 00 00 00 00 00 01`
/// - the string "ab": `08 61 62 00`
/// - the decimal 12.5: `05 03 80 02 0D 33 00`
package struct IndexKeyWriter {
    /// The first byte of a value. The order of the cases is the order of kinds in ``StoredValue``.
    enum Kind: UInt8 {
        case end = 0
        case null, bool, integer, double, decimal, date, uuid, text, data, list, object
    }

    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    /// The XOR mask of each byte: all ones in a descending field.
    private var mask: UInt8 = 0

    /// Creates a writer with capacity for a typical key.
    package init() {
        bytes.reserveCapacity(48)
    }

    /// Forgets what was written, and keeps the storage.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Compares the bytes written so far with as many bytes of a key.
    ///
    /// - Returns: A number below 0 if they are smaller, above 0 if they are larger or the key is
    ///   shorter, and 0 if they are equal.
    func compare(withStartOf key: IndexKey) -> Int32 {
        let count = min(bytes.count, key.bytes.count)
        let order = bytes.withUnsafeBytes { one in
            key.bytes.withUnsafeBytes { two -> Int32 in
                guard count > 0, let first = one.baseAddress, let second = two.baseAddress else {
                    return 0
                }
                return memcmp(first, second, count)
            }
        }
        return order == 0 && bytes.count > count ? 1 : order
    }

    /// Appends the value of a field.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - type: the type of the field, which determines the order of the components of a composite
    ///     reference.
    ///   - descending: whether larger values come first.
    package mutating func append(_ value: StoredValue, _ type: StoredType, descending: Bool) {
        mask = descending ? 0xFF : 0
        append(value, type)
        mask = 0
    }

    /// Appends a value with the current mask. `type` is nil inside lists and maps.
    private mutating func append(_ value: StoredValue, _ type: StoredType?) {
        switch value {
        case .null: append(.null)
        case .bool(let value):
            append(.bool)
            append(value ? 1 : 0)
        case .integer(let value):
            append(.integer)
            append(word: UInt64(bitPattern: value) ^ 1 << 63)
        case .double(let value):
            append(.double)
            append(double: value)
        case .decimal(let value):
            append(.decimal)
            append(decimal: value)
        case .date(let value):
            append(.date)
            append(double: value.timeIntervalSinceReferenceDate)
        case .uuid(let value):
            append(.uuid)
            withUnsafeBytes(of: value.uuid) { append(whole: $0) }
        case .text(let value):
            append(.text)
            append(terminated: value)
        case .data(let value):
            append(.data)
            append(terminated: value)
        case .list(let elements):
            append(.list)
            for element in elements { append(element, nil) }
            append(.end)
        case .object(let fields):
            append(.object)
            append(object: fields, type)
            append(.end)
        }
    }

    /// Appends the members of an object: in the declared order for a composite reference, otherwise
    /// with their names, sorted by name.
    private mutating func append(object fields: [String: StoredValue], _ type: StoredType?) {
        if case .composite(let layout)? = type {
            for field in layout.fields { append(fields[field.name] ?? .null, field.type) }
            return
        }
        for (name, value) in fields.sorted(by: { String.identifierPrecedes($0.key, $1.key) }) {
            append(.text)
            append(terminated: name)
            append(value, nil)
        }
    }

    /// Appends the byte for the kind of a value.
    private mutating func append(_ kind: Kind) { append(kind.rawValue) }

    /// Appends a byte, inverted in a descending field.
    private mutating func append(_ byte: UInt8) { bytes.append(byte ^ mask) }

    /// Appends eight bytes, big-endian.
    private mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.bigEndian) { append(whole: $0) }
    }

    /// Appends bytes without escapes or a terminator.
    private mutating func append(whole content: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: content)
        if mask == 0 { return }
        for place in start..<bytes.count { bytes[place] ^= mask }
    }

    /// Appends a `Double` as bits that compare as unsigned integers in the order of the numbers.
    private mutating func append(double value: Double) { append(word: value.sortBits) }

    /// Appends a string with escapes and a terminator.
    private mutating func append(terminated text: String) {
        let isPlain = text.withUTF8Bytes { utf8 in
            // One pass for the minimum is faster than a branch for each byte.
            guard utf8.reduce(UInt8.max, min) > 1 else { return false }
            append(whole: UnsafeRawBufferPointer(utf8))
            return true
        }
        if isPlain { append(0) } else { append(terminated: text.utf8) }
    }

    /// Appends bytes with escapes and a terminator.
    private mutating func append(terminated content: some Sequence<UInt8>) {
        for byte in content {
            if byte < 2 {
                append(1)
                append(byte + 1)
            } else {
                append(byte)
            }
        }
        append(0)
    }

    /// Appends a decimal: 0 for NaN, 1 for a negative number, 2 for zero, 3 for a positive number.
    ///
    /// The sign is followed by the decimal exponent of the first digit in two bytes, then by the
    /// digits, two per byte plus one, and a terminating 0. For a negative number, all bytes after
    /// the sign are inverted. Trailing zeros are removed first, so equal decimals have equal keys.
    private mutating func append(decimal value: Decimal) {
        guard var parts = DecimalParts(value) else { return append(0) }
        parts.strip()
        if parts.mantissa == 0 { return append(2) }
        append(parts.isNegative ? 1 : 3)
        let outer = mask
        defer { mask = outer }
        if parts.isNegative { mask = ~mask }
        let digits = String(parts.mantissa).utf8.map { $0 - 48 }
        // The exponent lies between -128 and 127, and there are at most 39 digits.
        let power = UInt16(clamping: parts.exponent + digits.count + 0x8000)
        append(UInt8(power >> 8))
        append(UInt8(truncatingIfNeeded: power))
        for index in stride(from: 0, to: digits.count, by: 2) {
            let second = index + 1 < digits.count ? digits[index + 1] : 0
            append(digits[index] * 10 + second + 1)
        }
        append(0)
    }
}

extension Double {
    /// Bits that compare as unsigned integers in the order of the numbers.
    @inline(__always)
    var sortBits: UInt64 {
        // Positive and negative zero are equal.
        let bits = self == 0 ? 0 : bitPattern
        return bits >> 63 == 1 ? ~bits : bits ^ 1 << 63
    }
}
