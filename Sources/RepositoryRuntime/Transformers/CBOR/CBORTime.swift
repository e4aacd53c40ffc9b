internal import Foundation

/// The representations of a date in CBOR. Each of them decodes to the original `Date`.
///
/// The first three are defined by RFC 8949, and ``extended(_:_:)`` by RFC 9581. The first exact one
/// in this order is used.
enum CBORTime {
    /// Whole seconds since 1970 (tag 1).
    case seconds(Int64)
    /// Seconds since 1970 (tag 1), exact after rounding to microseconds.
    case fractional(Double)
    /// RFC 3339 text (tag 0), if a `Double` cannot represent the microseconds.
    case text(String)
    /// Seconds since 1970 and attoseconds (tag 1001), if the other representations are not exact:
    /// beyond the year 9999, or finer than microseconds.
    case extended(Int64, Int64)

    /// Chooses the representation. Returns nil for a date outside the range of ``StoredDate``.
    init?(_ date: Date) {
        guard StoredDate.canStore(date) else { return nil }
        let reference = date.timeIntervalSinceReferenceDate
        let whole = reference.rounded(.down)
        let seconds = Int64(whole) + CivilTime.referenceSeconds
        guard reference != whole else {
            self = .seconds(seconds)
            return
        }
        let micros = StoredDate.microseconds(date)
        guard StoredDate.date(microseconds: micros) == date else {
            self = Self.extended(reference)
            return
        }
        let double = Double(micros) / 1_000_000
        if Self.micros(ofSeconds: double) == micros {
            self = .fractional(double)
        } else if let text = StoredDate.text(microseconds: micros) {
            self = .text(text)
        } else {
            self = Self.extended(reference)
        }
    }

    /// The number of seconds around 2001 within which a `Double` is so precise that the fraction is
    /// computed in decimal, because multiplication and addition would round more than once. This
    /// many seconds in attoseconds fit into 64 bits.
    private static let fineSeconds = 8.0
    /// The number of attoseconds in a second.
    private static let attosecondsInSecond: Int64 = 1_000_000_000_000_000_000

    /// Returns the representation in attoseconds. Within 0.01 seconds of 2001, a `Double` is more
    /// precise than attoseconds, and is rounded.
    private static func extended(_ reference: Double) -> CBORTime {
        let whole = reference.rounded(.down)
        guard reference.magnitude < fineSeconds, let total = attoseconds(reference) else {
            return .extended(
                Int64(whole) + CivilTime.referenceSeconds, Int64((reference - whole) * 1e18))
        }
        var (seconds, rest) = total.quotientAndRemainder(dividingBy: attosecondsInSecond)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + attosecondsInSecond) }
        return .extended(seconds + CivilTime.referenceSeconds, rest)
    }

    /// Returns the number of attoseconds in the shortest decimal that decodes to the number.
    private static func attoseconds(_ seconds: Double) -> Int64? {
        StoredDecimal.value(ofText: seconds.description).flatMap {
            StoredDecimal.rounded($0, scale: 18)
        }.flatMap { StoredDecimal.scaledInteger($0, scale: 18) }
    }

    /// Returns the microseconds for seconds since 1970; nil if they are out of range.
    static func micros(ofSeconds seconds: Double) -> Int64? {
        guard StoredDate.isReadable(secondsSince1970: seconds) else { return nil }
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded())
    }

}

// MARK: - Reading

extension CBORTime {
    /// Decodes seconds since 1970, rounded to microseconds; nil if they are out of range.
    static func date(seconds: Double) -> Date? {
        micros(ofSeconds: seconds).map(StoredDate.date(microseconds:))
    }

    /// Decodes whole seconds since 1970; nil if they are out of range.
    static func date(seconds: Int64) -> Date? {
        guard StoredDate.isReadable(secondsSince1970: Double(seconds)) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(seconds - CivilTime.referenceSeconds))
    }

    /// Decodes seconds since 1970 plus `fraction` × 10ᵖᵒʷᵉʳ seconds; nil if they are out of range.
    static func date(seconds: Int64, fraction: Int64, power: Int) -> Date? {
        guard StoredDate.isReadable(secondsSince1970: Double(seconds)), fraction >= 0,
            (-18...0).contains(power)
        else { return nil }
        let whole = Double(seconds - CivilTime.referenceSeconds)
        if whole.magnitude <= fineSeconds, power == -18, fraction < attosecondsInSecond {
            let total = (seconds - CivilTime.referenceSeconds)
                .multipliedReportingOverflow(by: attosecondsInSecond)
            let sum = total.partialValue.addingReportingOverflow(fraction)
            // Parsing the decimal text rounds once; dividing two rounded numbers would round three
            // times.
            if !total.overflow, !sum.overflow, let exact = Double("\(sum.partialValue)e-18") {
                return Date(timeIntervalSinceReferenceDate: exact)
            }
        }
        var scale = 1.0
        for _ in 0..<(-power) { scale *= 10 }
        return Date(timeIntervalSinceReferenceDate: whole + Double(fraction) / scale)
    }
}
