/// A day of the proleptic Gregorian calendar.
///
/// The algorithms are those of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years
/// begin in March, so that the leap day is the last day of a year, and are counted in eras of 400
/// years, all of which have the same length.
package struct CivilDay {
    /// The year; 0 and negative years precede the year 1.
    package var year: Int64
    /// The month, from 1 to 12.
    package var month: Int64
    /// The day of the month, from 1.
    package var day: Int64

    /// The number of days of an era.
    @inlinable package static var era: Int64 { 146_097 }
    /// The number of days from 0000-03-01 to 1970-01-01.
    @inlinable package static var epoch: Int64 { 719_468 }

    /// Creates a day.
    @inlinable
    package init(_ year: Int64, _ month: Int64, _ day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the day that is a number of days after 1970-01-01.
    @inlinable
    package init(daysSince1970 days: Int64) {
        let shifted = days + Self.epoch
        let era = Self.floor(shifted, Self.era)
        let dayOfEra = shifted - era * Self.era
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    }

    /// The number of days since 1970-01-01.
    @inlinable
    package var daysSince1970: Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + Self.floor(shifted, 4) - Self.floor(shifted, 100)
            + Self.floor(shifted, 400) + dayOfYear - Self.epoch
    }

    /// Returns a quotient rounded toward negative infinity, for a positive divisor.
    @inlinable
    package static func floor(_ left: Int64, _ right: Int64) -> Int64 {
        let (quotient, remainder) = left.quotientAndRemainder(dividingBy: right)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
