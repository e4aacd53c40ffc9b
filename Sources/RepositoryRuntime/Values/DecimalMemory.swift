internal import Foundation

/// The memory layout of `Decimal`: one byte for the exponent, one for the length and flags, two
/// unused bytes, and eight 16-bit words of mantissa with the lowest first.
///
/// Foundation has no other exact and fast access to the digits.
struct DecimalMemory {
    /// The position of the length in its byte, as a shift in bits.
    let lengthShift: UInt8
    let negative: UInt8
    let compact: UInt8

    /// The layout of this platform's Foundation (open source or Apple), determined with a test
    /// value in which every part differs. Nil if neither layout fits; decimals are then converted
    /// by way of strings.
    static let known: DecimalMemory? = {
        #if _endian(little)
            let expected = DecimalParts(
                isNegative: true, mantissa: 12_345_678_901_234_567_890_123_456_789, exponent: -9)
            guard MemoryLayout<Decimal>.size == 20,
                let sample = Decimal(string: "-12345678901234567890.123456789")
            else { return nil }
            return [
                DecimalMemory(lengthShift: 4, negative: 0x08, compact: 0x04),
                DecimalMemory(lengthShift: 0, negative: 0x10, compact: 0x20),
            ].first { memory in
                memory.parts(of: sample) == expected
                    && memory.decimal(of: expected).description == sample.description
                    && memory.decimal(of: expected) == sample
            }
        #else
            return nil
        #endif
    }()

    func parts(of value: Decimal) -> DecimalParts {
        withUnsafeBytes(of: value) { bytes in
            let flags = bytes[1]
            let length = min(Int(flags >> lengthShift & 0xF), 8)
            var mantissa: UInt128 = 0
            for word in stride(from: length - 1, through: 0, by: -1) {
                let digits = bytes.loadUnaligned(fromByteOffset: 4 + 2 * word, as: UInt16.self)
                mantissa = mantissa << 16 | UInt128(digits)
            }
            return DecimalParts(
                isNegative: flags & negative != 0, mantissa: mantissa,
                exponent: Int(Int8(bitPattern: bytes[0])))
        }
    }

    /// The decimal for parts whose exponent fits into a byte.
    func decimal(of parts: DecimalParts) -> Decimal {
        var value = Decimal()
        withUnsafeMutableBytes(of: &value) { bytes in
            var length: UInt8 = 0
            var rest = parts.mantissa
            while rest != 0 {
                let digits = UInt16(truncatingIfNeeded: rest)
                bytes.storeBytes(of: digits, toByteOffset: 4 + 2 * Int(length), as: UInt16.self)
                rest >>= 16
                length += 1
            }
            // A negative number without digits would represent NaN.
            let sign = parts.isNegative && length > 0 ? negative : 0
            bytes[0] = UInt8(bitPattern: Int8(parts.exponent))
            bytes[1] = length << lengthShift | sign | compact
        }
        return value
    }
}
