internal import Foundation

/// The representations that Foundation's `Codable` conformances use for types without a property
/// list type.
extension DocumentWriter {
    /// Writes a URL as an object with its absolute string as `relative`.
    mutating func writeKeyed(_ value: URL) throws {
        try beginMap(count: 1)
        try writeMapKey("relative", position: 0)
        try write(value.absoluteString)
        try endMap(count: 1)
    }

    /// Writes a decimal as an object with `exponent`, `isCompact`, `isNegative`, `length` and
    /// `mantissa`. The mantissa is a list of eight 16-bit words, lowest first; `length` is the
    /// number of words in use.
    mutating func writeKeyed(_ value: Decimal) throws {
        guard var parts = DecimalParts(value) else { throw FieldFailure("is not a finite number") }
        parts.strip()
        let words = (0..<8).map { UInt16(truncatingIfNeeded: parts.mantissa >> (16 * $0)) }
        let length = 8 - words.reversed().prefix { $0 == 0 }.count
        try beginMap(count: 5)
        try writeMapKey("exponent", position: 0)
        try write(Int64(parts.exponent))
        try writeMapKey("isCompact", position: 1)
        try write(true)
        try writeMapKey("isNegative", position: 2)
        try write(parts.isNegative)
        try writeMapKey("length", position: 3)
        try write(Int64(length))
        try writeMapKey("mantissa", position: 4)
        try beginList(count: 8)
        for (position, word) in words.enumerated() {
            try beginElement(position: position)
            try write(Int64(word))
        }
        try endList(count: 8)
        try endMap(count: 5)
    }
}

extension DocumentReader {
    /// The error for a well-formed value of another type.
    private func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// Reads a URL from an object with `relative`, and optionally `base`.
    mutating func readKeyedURL() throws -> URL {
        var frame = try beginObject()
        var relative: String?
        var base: URL?
        while try nextMember(&frame) {
            switch try readKey(&frame) {
            case "relative": relative = try readString()
            case "base": base = try readKeyedURL()
            default: try skipValue()
            }
        }
        guard let relative, let url = URL(string: relative, relativeTo: base) else {
            throw mismatch("a URL")
        }
        return url
    }

    /// Reads a decimal from an object with `exponent`, `isNegative`, `length` and `mantissa`.
    mutating func readKeyedDecimal() throws -> Decimal {
        var frame = try beginObject()
        var exponent: Int64?
        var isNegative = false
        var length: Int64 = 8
        var words: [UInt16] = []
        while try nextMember(&frame) {
            switch try readKey(&frame) {
            case "exponent": exponent = try readInteger()
            case "isNegative": isNegative = try readBool()
            case "length": length = try readInteger()
            case "mantissa":
                var elements = try beginList()
                while try nextElement(&elements) {
                    guard words.count < 8, let word = UInt16(exactly: try readInteger()) else {
                        throw mismatch("a decimal")
                    }
                    words.append(word)
                }
            default: try skipValue()
            }
        }
        guard let exponent, words.count == 8, (0...8).contains(length),
            (-1000...1000).contains(exponent)
        else { throw mismatch("a decimal") }
        let mantissa = words.prefix(Int(length)).reversed().reduce(UInt128(0)) {
            $0 << 16 | UInt128($1)
        }
        // Foundation represents NaN as a negative number with mantissa 0.
        guard mantissa > 0 || !isNegative,
            let value = DecimalParts(
                isNegative: isNegative, mantissa: mantissa, exponent: Int(exponent)
            ).decimal
        else { throw mismatch("a decimal") }
        return value
    }
}
