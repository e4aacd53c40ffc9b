/// Conversion of IEEE 754 binary16 (half precision). Not every platform of Swift has `Float16`.
enum HalfFloat {
    /// Returns the bits of a number that half precision represents exactly; nil for any other
    /// number. All NaNs give the same bits.
    static func bits(of value: Float) -> UInt16? {
        if value.isNaN { return 0x7E00 }
        let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
        if value.isInfinite { return sign | 0x7C00 }
        if value == 0 { return sign }
        let exponent = Int(value.exponent)
        let fraction = value.significandBitPattern
        if (-14...15).contains(exponent) {
            guard fraction & 0x1FFF == 0 else { return nil }
            return sign | UInt16(exponent + 15) << 10 | UInt16(fraction >> 13)
        }
        // Subnormal numbers are multiples of 2⁻²⁴ below 2⁻¹⁴.
        guard (-24 ..< -14).contains(exponent) else { return nil }
        let scaled = value.magnitude * 16_777_216
        guard scaled == scaled.rounded() else { return nil }
        return sign | UInt16(scaled)
    }

    /// Returns the number with these bits, which `Double` represents exactly.
    static func value(bits: UInt16) -> Double {
        let fraction = Double(bits & 0x3FF)
        let exponent = Int(bits >> 10 & 0x1F)
        let magnitude: Double
        switch exponent {
        case 0: magnitude = fraction / 16_777_216
        case 31: magnitude = fraction == 0 ? .infinity : .nan
        default:
            magnitude = Double(
                sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
        }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }
}
