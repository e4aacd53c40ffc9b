public import Foundation

/// Decimals as every store keeps them.
public enum StoredDecimal {
    /// The decimal rounded half to even to `scale` digits after the point; nil for NaN and where 64 bits cannot hold
    /// the digits.
    public static func rounded(_ value: Decimal, scale: Int) -> Decimal? {
        guard value.isFinite else { return nil }
        var source = value
        var result = Decimal()
        NSDecimalRound(&result, &source, scale, .bankers)
        return scaledInteger(result, scale: scale) == nil ? nil : result
    }

    /// The decimal × 10ˢᶜᵃˡᵉ as an integer; nil where it is not one or does not fit into 64 bits.
    public static func scaledInteger(_ value: Decimal, scale: Int) -> Int64? {
        var source = value
        var scaled = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&scaled, &source, Int16(scale), .plain) == .noError
        else {
            return nil
        }
        return Int64(scaled.description)
    }

    /// The decimal of an integer × 10⁻ˢᶜᵃˡᵉ.
    public static func decimal(scaledInteger: Int64, scale: Int) -> Decimal {
        Decimal(sign: .plus, exponent: -scale, significand: Decimal(scaledInteger))
    }
}
