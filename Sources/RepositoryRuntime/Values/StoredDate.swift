public import Foundation

/// The representation of dates in all stores: whole microseconds, from the year -289,536 to the
/// year 293,536.
///
/// The range is the same for all stores and formats: less than 9.2 × 10¹² seconds from 1 January
/// 2001. As microseconds since 1970, these dates fit into 64 bits. As a `Double` in seconds, they
/// are accurate to within two milliseconds. Every write throws `invalidItem` for a date outside
/// this range. Readers accept the larger range of `isReadable(secondsSince1970:)`, so that
/// records written by another program stay readable.
public enum StoredDate {
    /// Seconds from 1970 to 2001, the reference date of `Date`.
    private static let referenceSeconds: Int64 = 978_307_200

    /// Whether the date is in the range of all stores and formats; false for NaN.
    public static func canStore(_ date: Date) -> Bool {
        abs(date.timeIntervalSinceReferenceDate) < 9.2e12
    }

    /// Whether the number of seconds since 1970, in microseconds, fits into 64 bits; false for NaN.
    static func isReadable(secondsSince1970 seconds: Double) -> Bool {
        seconds.magnitude < 9.223372e12
    }

    /// Returns the microseconds since 1970, rounded half away from zero. The date must satisfy
    /// ``canStore(_:)``.
    ///
    /// Whole seconds and the fraction are converted separately, because multiplying the sum would
    /// round twice.
    public static func microseconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let rest = ((seconds - whole) * 1_000_000).rounded()
        return (Int64(whole) + referenceSeconds) * 1_000_000 + Int64(rest)
    }

    /// Returns the date for a number of microseconds since 1970. It is the inverse of
    /// ``microseconds(_:)`` for the results of that function.
    public static func date(microseconds: Int64) -> Date {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let whole = remainder < 0 ? quotient - 1 : quotient
        let rest = remainder < 0 ? remainder + 1_000_000 : remainder
        return Date(
            timeIntervalSinceReferenceDate: Double(whole - referenceSeconds) + Double(rest)
                / 1_000_000)
    }

    /// Returns the date rounded to microseconds, or to seconds for stores with a coarser format.
    public static func rounded(_ date: Date, toSeconds: Bool) -> Date {
        if toSeconds {
            return Date(
                timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded())
        }
        return rounded(date)
    }

    /// Returns the date rounded to microseconds. A date that cannot be stored is returned
    /// unchanged.
    public static func rounded(_ date: Date) -> Date {
        canStore(date) ? self.date(microseconds: microseconds(date)) : date
    }
}
