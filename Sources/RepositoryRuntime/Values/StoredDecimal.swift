public import Foundation

/// Parsing, rounding and scaling of decimals, common to all stores.
public enum StoredDecimal {
    /// Parses decimal notation: an optional sign, digits with at most one decimal point, and an
    /// optional exponent.
    ///
    /// Surplus digits are rounded as Foundation rounds them. Returns nil for any other text,
    /// although Foundation would parse its prefix, and for a number that is too large.
    package static func value(ofText text: String) -> Decimal? {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "+") {
            rest = rest.dropFirst()
            guard rest.first != UInt8(ascii: "-") else { return nil }
        }
        if let value = DecimalParts(text: rest)?.decimal { return value }
        guard isNotation(rest) else { return nil }
        let value = Decimal(string: String(Substring(rest)), locale: posix)
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The locale for parsing: a period as the decimal separator.
    private static let posix = Locale(identifier: "en_US_POSIX")

    /// Whether the whole text is decimal notation without a leading plus sign.
    private static func isNotation(_ text: Substring.UTF8View) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
        var rest = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let whole = rest.prefix(while: isDigit)
        rest = rest[whole.endIndex...]
        var digits = whole.count
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest[fraction.endIndex...]
            digits += fraction.count
        }
        guard digits > 0, let mark = rest.first else { return digits > 0 }
        guard mark | 0x20 == UInt8(ascii: "e") else { return false }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        return !rest.isEmpty && rest.allSatisfy(isDigit)
    }

    /// Returns the decimal rounded half to even to `scale` fraction digits. Returns nil for NaN,
    /// and if the scaled number does not fit into 64 bits.
    public static func rounded(_ value: Decimal, scale: Int) -> Decimal? {
        guard value.isFinite else { return nil }
        var source = value
        var result = Decimal()
        NSDecimalRound(&result, &source, scale, .bankers)
        return scaledInteger(result, scale: scale) == nil ? nil : result
    }

    /// Returns the decimal × 10ˢᶜᵃˡᵉ as an integer. Returns nil if it is not an integer or does not
    /// fit into 64 bits.
    public static func scaledInteger(_ value: Decimal, scale: Int) -> Int64? {
        var source = value
        var scaled = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&scaled, &source, Int16(scale), .plain) == .noError
        else {
            return nil
        }
        return Int64(scaled.description)
    }

    /// Returns the decimal for an integer × 10⁻ˢᶜᵃˡᵉ.
    ///
    /// - Parameters:
    ///   - scaledInteger: the integer.
    ///   - scale: the number of fraction digits.
    public static func decimal(scaledInteger: Int64, scale: Int) -> Decimal {
        Decimal(sign: .plus, exponent: -scale, significand: Decimal(scaledInteger))
    }
}
