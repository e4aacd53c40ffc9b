internal import Foundation
internal import StoredSchema

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
        guard self != .day, let number = Int64(exactly: days) else {
            return Date(timeIntervalSince1970: days * Self.secondsOfDay)
        }
        var start = CivilDay(daysSince1970: number)
        start.day = 1
        if self == .year { start.month = 1 }
        let first = start.daysSince1970
        return Date(timeIntervalSince1970: Double(first) * Self.secondsOfDay)
    }
}
