internal import Foundation

/// Values as bytes whose order is that of ``StoredValue``.
///
/// A value is a byte for its kind, in the order of kinds, and then:
/// - integers: eight bytes, the highest first, the sign turned round;
/// - doubles and dates: the bits of the number, the sign turned round, all bits where it is negative;
/// - decimals: see ``append(decimal:)``;
/// - texts and data: their bytes, 0 and 1 written as 1 1 and 1 2, and a 0 at the end;
/// - lists and objects: their elements, and a 0 at the end, which is smaller than every kind.
///
/// Of a descending field all bits are turned round.
struct IndexKeyWriter {
    /// The first byte of a value.
    enum Kind: UInt8 {
        case end = 0
        case null, bool, integer, double, decimal, date, uuid, text, data, list, object
    }

    private(set) var bytes: [UInt8] = []
    /// What each byte is combined with: all bits for a descending field.
    private var mask: UInt8 = 0

    init() {
        bytes.reserveCapacity(48)
    }

    /// Appends the value of a field.
    ///
    /// - Parameters:
    ///   - type: the type of the field, which orders the components of a composite reference.
    ///   - descending: whether larger values come first.
    mutating func append(_ value: StoredValue, _ type: StoredType, descending: Bool) {
        mask = descending ? 0xFF : 0
        append(value, type)
        mask = 0
    }

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

    private mutating func append(_ kind: Kind) { append(kind.rawValue) }

    private mutating func append(_ byte: UInt8) { bytes.append(byte ^ mask) }

    private mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.bigEndian) { append(whole: $0) }
    }

    private mutating func append(whole content: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: content)
        if mask == 0 { return }
        for place in start..<bytes.count { bytes[place] ^= mask }
    }

    private mutating func append(double value: Double) {
        // The two zeros are one value.
        let bits = value == 0 ? 0 : value.bitPattern
        append(word: bits >> 63 == 1 ? ~bits : bits ^ 1 << 63)
    }

    private mutating func append(terminated text: String) {
        let isPlain = text.withUTF8Bytes { utf8 in
            // One look at all of them takes less time than one at each.
            guard utf8.reduce(UInt8.max, min) > 1 else { return false }
            append(whole: UnsafeRawBufferPointer(utf8))
            return true
        }
        if isPlain { append(0) } else { append(terminated: text.utf8) }
    }

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

    /// Appends a decimal: 1 for a negative one, 2 for zero, 3 for a positive one; then the power of ten of its first digit
    /// and its digits, two a byte and one more than they are, up to a 0. Of a negative one these are turned round.
    ///
    /// What is no number is a 0, before all.
    private mutating func append(decimal value: Decimal) {
        guard var parts = DecimalParts(value) else { return append(0) }
        parts.strip()
        if parts.mantissa == 0 { return append(2) }
        append(parts.isNegative ? 1 : 3)
        let outer = mask
        defer { mask = outer }
        if parts.isNegative { mask = ~mask }
        let digits = String(parts.mantissa).utf8.map { $0 - 48 }
        // Exponents lie between -128 and 127 and there are 39 digits at most.
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
