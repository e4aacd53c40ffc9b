internal import Foundation

/// A calendar unit by which dates and days are grouped.
///
/// The calendar is the proleptic Gregorian one. Without a time zone, dates are grouped in UTC.
public enum DatePart: Sendable, Hashable, CaseIterable {
    /// A year, starting on January 1.
    case year
    /// A month.
    case month
    /// A day.
    case day

    /// The number of seconds in a day. UTC days have no leap seconds here, as in `Date`.
    private static let secondsOfDay = 86_400.0

    /// Returns the first instant of the unit in UTC that contains a date.
    ///
    /// A day number beyond `Int` is returned as the start of its day, independent of the unit.
    func start(of date: Date) -> Date {
        let days = (date.timeIntervalSince1970 / Self.secondsOfDay).rounded(.down)
        guard self != .day, let number = Int(exactly: days) else {
            return Date(timeIntervalSince1970: days * Self.secondsOfDay)
        }
        let (dayOfMonth, month) = Self.place(of: number)
        var first = number - (dayOfMonth - 1)
        if self == .year {
            for _ in 1..<month { first -= Self.place(of: first - 1).dayOfMonth }
        }
        return Date(timeIntervalSince1970: Double(first) * Self.secondsOfDay)
    }

    /// Returns the day of the month and the month of a day, which is counted from 1970-01-01.
    ///
    /// This is the `civil_from_days` algorithm by Howard Hinnant: years begin in March, so that the
    /// leap day is the last day of a year, and are counted in eras of 400 years, all of which have
    /// the same length.
    private static func place(of day: Int) -> (dayOfMonth: Int, month: Int) {
        let daysOfEra = 146_097
        // Days from 0000-03-01 to 1970-01-01.
        let shifted = day + 719_468
        let remainder = shifted % daysOfEra
        let dayOfEra = remainder < 0 ? remainder + daysOfEra : remainder
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (dayOfMonth, monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    }
}
