public import Foundation

/// Dates as every store keeps them: whole microseconds, from the year -289,536 to the year 293,536.
///
/// The range is one for all stores and formats: less than 9.2 × 10¹² seconds from 1 January 2001. Its microseconds since
/// 1970 fit into 64 bits, and a `Double` of seconds holds them to within two milliseconds. Every write throws
/// `invalidItem` for a date outside of it. Readers accept ``isReadable(secondsSince1970:)``, which is more: what another
/// program has written stays readable.
public enum StoredDate {
    /// Seconds from 1970 to 2001, where `Date` counts from.
    private static let referenceSeconds: Int64 = 978_307_200

    /// Whether the date lies in the range that stores and formats hold; false for NaN.
    public static func canStore(_ date: Date) -> Bool {
        abs(date.timeIntervalSinceReferenceDate) < 9.2e12
    }

    /// Whether 64 bits of microseconds hold the number of seconds since 1970; false for NaN.
    static func isReadable(secondsSince1970 seconds: Double) -> Bool {
        seconds.magnitude < 9.223372e12
    }

    /// Microseconds since 1970, rounded half away from zero; only for dates that ``canStore(_:)`` accepts.
    ///
    /// Whole seconds and the rest are converted apart, because a product of the whole would round twice.
    public static func microseconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let rest = ((seconds - whole) * 1_000_000).rounded()
        return (Int64(whole) + referenceSeconds) * 1_000_000 + Int64(rest)
    }

    /// The date of a number of microseconds since 1970; the inverse of ``microseconds(_:)`` on what it returns.
    public static func date(microseconds: Int64) -> Date {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let whole = remainder < 0 ? quotient - 1 : quotient
        let rest = remainder < 0 ? remainder + 1_000_000 : remainder
        return Date(
            timeIntervalSinceReferenceDate: Double(whole - referenceSeconds) + Double(rest)
                / 1_000_000)
    }

    /// The date rounded to microseconds, or to seconds for a store whose format keeps no more.
    public static func rounded(_ date: Date, toSeconds: Bool) -> Date {
        if toSeconds {
            return Date(
                timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded())
        }
        return rounded(date)
    }

    /// The date rounded to microseconds.
    public static func rounded(_ date: Date) -> Date {
        canStore(date) ? self.date(microseconds: microseconds(date)) : date
    }
}
