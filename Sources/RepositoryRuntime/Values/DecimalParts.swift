internal import Foundation

/// A finite decimal as sign, mantissa and exponent.
///
/// Equality compares the parts: 12.5 and 12.50 have different parts until ``strip()`` makes both of
/// them 125 × 10⁻¹.
struct DecimalParts: Equatable {
    /// Whether the number is negative. Zero is never negative after ``strip()``.
    var isNegative: Bool
    /// The mantissa, which is less than 2¹²⁸: `Decimal` has 38 digits.
    var mantissa: UInt128
    /// The value is mantissa × 10ᵉˣᵖᵒⁿᵉⁿᵗ.
    var exponent: Int

    init(isNegative: Bool, mantissa: UInt128, exponent: Int) {
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// Creates the parts of a decimal. Returns nil for NaN.
    init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        if let memory = DecimalMemory.known {
            self = memory.parts(of: value)
        } else {
            self.init(text: Array(value.description.utf8))
        }
    }

    /// Parses decimal notation with an optional exponent. Returns nil if the text is invalid, or if
    /// its digits do not fit into 128 bits.
    init?(text: some Collection<UInt8>) {
        self.init(isNegative: text.first == UInt8(ascii: "-"), mantissa: 0, exponent: 0)
        var rest = isNegative ? text.dropFirst() : text[...]
        var pointWasSeen = false
        var hasDigits = false
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: "."), !pointWasSeen {
                pointWasSeen = true
                continue
            }
            guard (48...57).contains(byte) else { return nil }
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt128(byte - 48))
            if overflow || carry { return nil }
            mantissa = sum
            hasDigits = true
            if pointWasSeen { exponent -= 1 }
        }
        guard hasDigits else { return nil }
        guard rest.isEmpty else {
            let digits = String(decoding: rest.dropFirst(), as: UTF8.self)
            guard let power = Int(digits), power.magnitude < 1_000_000 else { return nil }
            exponent += power
            return
        }
    }

    /// The decimal with these parts; nil if `Decimal` cannot represent it exactly.
    ///
    /// The mantissa is multiplied by powers of ten if the exponent is larger than `Decimal` allows.
    var decimal: Decimal? {
        var parts = self
        parts.strip()
        while parts.exponent > 127 {
            let (product, overflow) = parts.mantissa.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            parts.mantissa = product
            parts.exponent -= 1
        }
        guard parts.exponent >= -128 else { return nil }
        if let memory = DecimalMemory.known { return memory.decimal(of: parts) }
        let sign = parts.isNegative ? "-" : ""
        return Decimal(string: "\(sign)\(parts.mantissa)e\(parts.exponent)")
    }

    /// Removes trailing zeros of the mantissa, so that equal decimals have equal parts.
    ///
    /// Mantissas that fit into 64 bits are divided as `UInt64`, which is much faster than 128-bit
    /// division.
    mutating func strip() {
        guard mantissa != 0 else {
            self = DecimalParts(isNegative: false, mantissa: 0, exponent: 0)
            return
        }
        while mantissa <= UInt64.max {
            let (quotient, remainder) = UInt64(mantissa).quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { return }
            mantissa = UInt128(quotient)
            exponent += 1
        }
        let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: 10)
        guard remainder == 0 else { return }
        mantissa = quotient
        exponent += 1
        strip()
    }

    /// Writes the number without an exponent: `-0.05`, `1200`.
    func write(to buffer: inout ByteBuffer) {
        if isNegative, mantissa != 0 { buffer.append(UInt8(ascii: "-")) }
        if exponent == 0, mantissa <= UInt64.max {
            return buffer.append(decimal: UInt64(mantissa))
        }
        var parts = self
        parts.strip()
        let digits = Array(String(parts.mantissa).utf8)
        if parts.exponent >= 0 {
            buffer.append(digits)
            if parts.mantissa != 0 {
                buffer.append(repeatElement(UInt8(ascii: "0"), count: parts.exponent))
            }
            return
        }
        let whole = max(0, digits.count + parts.exponent)
        if whole == 0 { buffer.append(UInt8(ascii: "0")) }
        buffer.append(digits[..<whole])
        buffer.append(UInt8(ascii: "."))
        buffer.append(repeatElement(48, count: max(0, -parts.exponent - digits.count)))
        buffer.append(digits[whole...])
    }
}
