internal import Foundation

extension JSONReader {
    /// A scanned number: mantissa × 10ᵉˣᵖᵒⁿᵉⁿᵗ if it is exact, and its source text.
    struct Number {
        /// Whether the number has a minus sign, which `-0` has too.
        var isNegative = false
        /// All digits, without the decimal point. It has wrapped around if ``isExact`` is false.
        var mantissa: UInt64 = 0
        /// The power of ten of the last digit.
        var exponent = 0
        /// Whether the number has neither a decimal point nor an exponent.
        var isInteger = true
        /// Whether the mantissa and the exponent represent the number exactly.
        var isExact = true
        /// The number in the source, for the exact conversion of long numbers.
        var text: UnsafeBufferPointer<UInt8>
    }

    /// Scans a number by the grammar of RFC 8259, section 6.
    @inline(__always)
    mutating func scanNumber() throws -> Number {
        let first = position
        var number = Number(text: UnsafeBufferPointer(start: start, count: 0))
        if next == UInt8(ascii: "-") {
            number.isNegative = true
            position += 1
        }
        if next == UInt8(ascii: "0") {
            position += 1
        } else if scanDigits(&number) == 0 {
            throw malformed
        }
        if next == UInt8(ascii: ".") {
            position += 1
            number.isInteger = false
            let digits = scanDigits(&number)
            guard digits > 0 else { throw malformed }
            number.exponent = -digits
        }
        if next | 0x20 == UInt8(ascii: "e") { try scanExponent(&number) }
        number.text = UnsafeBufferPointer(start: start + first, count: position - first)
        return number
    }

    /// Scans digits into the mantissa. Returns their number.
    @inline(__always)
    private mutating func scanDigits(_ number: inout Number) -> Int {
        let first = position
        while position < count {
            let digit = start[position] &- 48
            guard digit < 10 else { break }
            // A mantissa below 10¹⁸ can take another digit without overflow.
            if number.mantissa > 999_999_999_999_999_999 { number.isExact = false }
            number.mantissa = number.mantissa &* 10 &+ UInt64(digit)
            position += 1
        }
        return position - first
    }

    /// Scans an exponent. One of 100,000 or more makes the number inexact.
    private mutating func scanExponent(_ number: inout Number) throws {
        position += 1
        number.isInteger = false
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { position += 1 }
        var digits = Number(text: number.text)
        guard scanDigits(&digits) > 0 else { throw malformed }
        guard digits.isExact, digits.mantissa < 100_000 else {
            number.isExact = false
            return
        }
        number.exponent += isNegative ? -Int(digits.mantissa) : Int(digits.mantissa)
    }

    /// Scans the next number; throws a mismatch if another value follows.
    @inline(__always)
    private mutating func number(_ expected: String) throws -> Number {
        guard next == UInt8(ascii: "-") || next &- 48 < 10 else { throw mismatch(expected) }
        return try scanNumber()
    }
}

extension JSONReader {
    /// Reads an integer. Like Foundation, it also accepts `1.0` and `1e3`.
    mutating func readInteger() throws -> Int64 {
        let number = try number("an integer")
        if number.isInteger, number.isExact {
            if !number.isNegative, let value = Int64(exactly: number.mantissa) { return value }
            if number.isNegative, number.mantissa <= Int64.min.magnitude {
                return Int64(truncatingIfNeeded: 0 &- number.mantissa)
            }
        }
        guard var parts = DecimalParts(text: number.text) else { throw mismatch("an integer") }
        parts.strip()
        while parts.exponent > 0, parts.mantissa <= UInt64.max {
            parts.mantissa *= 10
            parts.exponent -= 1
        }
        guard parts.exponent == 0, let magnitude = Int128(exactly: parts.mantissa),
            let value = Int64(exactly: parts.isNegative ? -magnitude : magnitude)
        else { throw mismatch("an integer of 64 bits") }
        return value
    }

    /// Reads a `Double`, correctly rounded. Overflow to infinity is a mismatch.
    mutating func readDouble() throws -> Double {
        let number = try number("a number")
        // Both operands are exact, so the result is rounded only once (Clinger, 1990).
        if number.isExact, number.mantissa <= 1 << 53, number.exponent.magnitude <= 22 {
            let power = Self.powersOfTen[Int(number.exponent.magnitude)]
            let mantissa = Double(number.mantissa)
            let value = number.exponent < 0 ? mantissa / power : mantissa * power
            return number.isNegative ? -value : value
        }
        guard let value = Double(String(decoding: number.text, as: UTF8.self)), value.isFinite
        else {
            throw mismatch("a number of double precision")
        }
        return value
    }

    /// Reads a `Float`, rounded once from the decimal text. Overflow to infinity is a mismatch.
    mutating func readFloat() throws -> Float {
        let number = try number("a number")
        if number.isExact, number.mantissa <= 1 << 24, number.exponent.magnitude <= 10 {
            let power = Float(Self.powersOfTen[Int(number.exponent.magnitude)])
            let mantissa = Float(number.mantissa)
            let value = number.exponent < 0 ? mantissa / power : mantissa * power
            return number.isNegative ? -value : value
        }
        guard let value = Float(String(decoding: number.text, as: UTF8.self)), value.isFinite else {
            throw mismatch("a number of single precision")
        }
        return value
    }

    /// Reads a decimal. The fast path avoids a copy of the text.
    mutating func readDecimal() throws -> Decimal {
        let number = try number("a number")
        if number.isExact {
            let parts = DecimalParts(
                isNegative: number.isNegative, mantissa: UInt128(number.mantissa),
                exponent: number.exponent)
            if let value = parts.decimal { return value }
        }
        if let value = DecimalParts(text: number.text)?.decimal { return value }
        // Surplus digits are rounded as Foundation rounds them.
        guard let value = Decimal(string: String(decoding: number.text, as: UTF8.self)),
            value.isFinite
        else { throw mismatch("a decimal number") }
        return value
    }

    /// Reads a date as seconds since 2001.
    mutating func readDate() throws -> Date {
        Date(timeIntervalSinceReferenceDate: try readDouble())
    }

    /// The powers of ten that `Double` represents exactly. The first eleven are also exact in
    /// `Float`.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
