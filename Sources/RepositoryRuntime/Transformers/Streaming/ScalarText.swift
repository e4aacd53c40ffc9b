internal import Foundation

/// Conversion of hexadecimal digits in ASCII.
enum Hexadecimal {
    /// Returns the upper-case digit for a number from 0 to 15.
    @inline(__always)
    static func upper(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

    /// Returns the value of an upper-case or lower-case digit; nil for any other byte.
    @inline(__always)
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }
}

/// The text representation of UUIDs: 36 characters, written in upper case and read in either case.
enum UUIDText {
    /// Writes a UUID in upper case.
    static func write(_ uuid: UUID, to buffer: inout ByteBuffer) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            buffer.append(capacity: 36) { target in
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        target[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    target[position] = Hexadecimal.upper(byte >> 4)
                    target[position + 1] = Hexadecimal.upper(byte & 0xF)
                    position += 2
                }
                return position
            }
        }
    }

    /// Parses exactly 36 characters; returns nil for anything else.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isComplete = withUnsafeMutableBytes(of: &uuid) { bytes in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    guard text[position] == UInt8(ascii: "-") else { return false }
                    position += 1
                }
                guard let high = Hexadecimal.value(text[position]),
                    let low = Hexadecimal.value(text[position + 1])
                else { return false }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        return isComplete ? UUID(uuid: uuid) : nil
    }
}

/// The shortest decimal text of finite numbers that parses back to the same number. Integral values
/// have no decimal point.
///
/// Examples: `1200` and `0.05`.
enum NumberText {
    /// Writes a number below 9 × 10⁹ with the fast path if it has at most six fraction digits,
    /// otherwise its description.
    static func write(_ value: Double, to buffer: inout ByteBuffer) {
        if value.magnitude < 9e9, writeMicros(value, to: &buffer) { return }
        writeDescription(value.description, to: &buffer)
    }

    /// Writes the description of a number of single precision.
    static func write(_ value: Float, to buffer: inout ByteBuffer) {
        writeDescription(value.description, to: &buffer)
    }

    /// Writes a number with at most six fraction digits, such as a date or a price. Returns false
    /// for any other number.
    ///
    /// The quotient of two integers below 2⁵³ is rounded once, exactly as the decimal text is when
    /// it is parsed. If the quotient equals the value, the digits therefore parse back to it.
    private static func writeMicros(_ value: Double, to buffer: inout ByteBuffer) -> Bool {
        let micros = (value * 1_000_000).rounded()
        guard micros / 1_000_000 == value, value != 0 || value.sign == .plus else { return false }
        let (whole, rest) = UInt64(micros.magnitude).quotientAndRemainder(dividingBy: 1_000_000)
        var part = rest
        if value < 0 { buffer.append(UInt8(ascii: "-")) }
        buffer.append(decimal: whole)
        guard part != 0 else { return true }
        var digits = 6
        while part % 10 == 0 {
            part /= 10
            digits -= 1
        }
        buffer.append(capacity: 7) { target in
            target[0] = UInt8(ascii: ".")
            for position in stride(from: digits, to: 0, by: -1) {
                target[position] = UInt8(truncatingIfNeeded: 48 + part % 10)
                part /= 10
            }
            return digits + 1
        }
        return true
    }

    /// Writes a description of the standard library, without a trailing `.0`.
    private static func writeDescription(_ text: String, to buffer: inout ByteBuffer) {
        buffer.append(text: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
}
