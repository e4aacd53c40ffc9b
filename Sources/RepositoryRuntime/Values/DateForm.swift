package import Foundation

/// A representation of dates in a column that belongs to another program.
///
/// A schema selects it with `storedAs`. Every store rounds a date to the precision of the form when
/// it is written, also a store without columns, so that a record is the same on all of them. A date
/// that the form cannot hold is an `invalidItem`.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
    /// Text such as `2026-11-22 15:28:50`, in UTC; the years 0 to 9999.
    case textSeconds
    /// Text such as `2026-11-22T15:28:50Z`; the years 0 to 9999.
    case iso8601
    /// Text such as `2026-11-22T15:28:50.123Z`; the years 0 to 9999.
    case iso8601Milliseconds
    /// Text such as `2026-11-22T15:28:50.123456Z`; the years 0 to 9999.
    case iso8601Microseconds
    /// An integer of milliseconds since 1970.
    case milliseconds
    /// An integer of microseconds since 1970.
    case microseconds
    /// A floating-point number of seconds since 2001, with microseconds in the years 1729 to 2272
    /// and whole seconds outside of them.
    case secondsSince2001
    /// The Julian day as a floating-point number, to milliseconds, from the day 0 to the end of the
    /// year 9999: the range of SQLite's date functions.
    case julianDay

    /// Microseconds since 1970 at the start of 2001.
    package static let reference: Int64 = 978_307_200_000_000
    /// Microseconds since 1970 at the start of the year 0, and after the end of the year 9999.
    private static let years: Range<Int64> = -62_167_219_200_000_000..<253_402_300_800_000_000
    /// Microseconds since 1970 at noon of the Julian day 0.
    private static let julianStart: Int64 = -210_866_760_000_000_000
    /// The time from 2001 up to which a floating-point number of seconds tells microseconds apart,
    /// in microseconds: 2³³ seconds.
    private static let exactSeconds: Int64 = 8_589_934_592_000_000

    /// The precision at a moment, in microseconds.
    ///
    /// - Parameter microseconds: The moment, in microseconds since 1970.
    package func unit(at microseconds: Int64) -> Int64 {
        switch self {
        case .textSeconds, .iso8601: 1_000_000
        case .iso8601Milliseconds, .milliseconds, .julianDay: 1000
        case .iso8601Microseconds, .microseconds: 1
        case .secondsSince2001:
            (microseconds - Self.reference).magnitude < Self.exactSeconds.magnitude ? 1 : 1_000_000
        }
    }

    /// Returns whether the form has room for a moment, whatever its precision.
    ///
    /// - Parameter microseconds: The moment, in microseconds since 1970.
    package func reaches(_ microseconds: Int64) -> Bool {
        switch self {
        case .textSeconds, .iso8601, .iso8601Milliseconds, .iso8601Microseconds:
            Self.years.contains(microseconds)
        case .julianDay: (Self.julianStart..<Self.years.upperBound).contains(microseconds)
        case .milliseconds, .microseconds, .secondsSince2001: true
        }
    }

    /// Returns a moment rounded down to the precision.
    ///
    /// - Parameter microseconds: The moment, in microseconds since 1970.
    package func floor(_ microseconds: Int64) -> Int64 {
        let unit = unit(at: microseconds)
        let rest = microseconds % unit
        return microseconds - (rest < 0 ? rest + unit : rest)
    }

    /// Returns a date rounded to the precision, halves to the later moment; nil if the form cannot
    /// hold it.
    ///
    /// - Parameter date: A date within the range of ``StoredDate/canStore(_:)``.
    package func rounded(_ date: Date) -> Date? {
        let microseconds = StoredDate.microseconds(date)
        let result = floor(microseconds + unit(at: microseconds) / 2)
        return reaches(result) ? StoredDate.date(microseconds: result) : nil
    }

    /// What the form holds, as the end of an error message.
    var range: String {
        switch self {
        case .textSeconds, .iso8601, .iso8601Milliseconds, .iso8601Microseconds:
            "the years 0 to 9999"
        case .julianDay: "the Julian days from 0 to the end of the year 9999"
        case .milliseconds, .microseconds, .secondsSince2001: "all dates"
        }
    }
}
