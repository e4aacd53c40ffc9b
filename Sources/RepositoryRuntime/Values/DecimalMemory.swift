internal import Foundation

/// The memory layout of `Decimal`: one byte for the exponent, one for the length and the flags, two
/// unused bytes, and eight 16-bit words of mantissa, lowest first.
///
/// Foundation has no other access to the digits that is both exact and fast.
struct DecimalMemory {
    /// The shift, in bits, of the length within its byte.
    let lengthShift: UInt8
    /// The bit of the sign flag.
    let negative: UInt8
    /// The bit of the flag for a mantissa without trailing zeros.
    let compact: UInt8

    /// The layout used by this platform's Foundation (open source or Apple), or nil if neither
    /// layout fits. Decimals are then converted by way of strings.
    ///
    /// The layout is determined once, with a test value in which every part differs.
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

    /// Reads the parts of a finite decimal from memory.
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

    /// Creates the decimal from parts without trailing zeros, whose exponent fits into 8 bits.
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
