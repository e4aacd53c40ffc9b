extension RealmValue {
    /// A float by its bits. Null is one of the values that are not a number.
    static func float(bits: UInt32) -> Self {
        bits == 0x7FC0_00AA ? .null : .float(Float(bitPattern: bits))
    }

    /// A double by its bits.
    static func double(bits: UInt64) -> Self {
        bits == 0x7FF8_0000_0000_00AA ? .null : .double(Double(bitPattern: bits))
    }

    /// A date; nanoseconds have the sign of the seconds.
    static func date(_ seconds: Int64, _ nanoseconds: Int64) throws(RealmFileError) -> Self {
        guard abs(nanoseconds.clamped) < 1_000_000_000 else {
            throw .damaged("the nanoseconds of a date are out of range")
        }
        return .date(RealmDate(seconds: seconds, nanoseconds: Int32(nanoseconds)))
    }

    /// A decimal of 128 bits (IEEE 754, binary significand).
    static func decimal(low: UInt64, high: UInt64) -> Self {
        if high == 0x7C00_0000_0000_0000, low == 0xAA { return .null }
        let isNegative = high >> 63 == 1
        if let special = special(high >> 58 & 31, isNegative) { return special }
        if high >> 61 & 3 == 3 {  // A significand of more than 34 digits counts as 0.
            return finite(isNegative, 0, high >> 47 & 0x3FFF, 6176)
        }
        let coefficient = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
        return finite(isNegative, coefficient, high >> 49 & 0x3FFF, 6176)
    }

    /// A decimal of 64 bits.
    static func decimal(_ bits: UInt64) -> Self {
        if bits == 0x7C00_0000_0000_00AA { return .null }
        let isNegative = bits >> 63 == 1
        if let special = special(bits >> 58 & 31, isNegative) { return special }
        if bits >> 61 & 3 == 3 {
            let coefficient = UInt128(1 << 53 | bits & (1 << 51 - 1))
            return finite(isNegative, coefficient, bits >> 51 & 0x3FF, 398)
        }
        return finite(isNegative, UInt128(bits & (1 << 53 - 1)), bits >> 53 & 0x3FF, 398)
    }

    /// A decimal of 32 bits.
    static func decimal(_ bits: UInt32) -> Self {
        if bits == 0x7C00_00AA { return .null }
        let isNegative = bits >> 31 == 1
        if let special = special(UInt64(bits >> 26 & 31), isNegative) { return special }
        if bits >> 29 & 3 == 3 {
            let coefficient = UInt128(1 << 23 | bits & (1 << 21 - 1))
            return finite(isNegative, coefficient, UInt64(bits >> 21 & 0xFF), 101)
        }
        return finite(
            isNegative, UInt128(bits & (1 << 23 - 1)), UInt64(bits >> 23 & 0xFF), 101)
    }

    private static func special(_ combination: UInt64, _ isNegative: Bool) -> Self? {
        switch combination {
        case 31: .decimal(.notANumber)
        case 30: .decimal(.infinity(isNegative: isNegative))
        default: nil
        }
    }

    private static func finite(
        _ isNegative: Bool, _ coefficient: UInt128, _ exponent: UInt64, _ bias: Int
    ) -> Self {
        .decimal(
            .finite(
                isNegative: isNegative, coefficient: coefficient, exponent: Int(exponent) - bias))
    }
}

extension Int64 {
    /// The number, or the nearest one that has a negative.
    fileprivate var clamped: Int64 { Swift.max(self, -Int64.max) }
}
