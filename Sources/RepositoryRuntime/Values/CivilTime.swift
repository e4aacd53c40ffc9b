internal import Foundation

/// A date as year, month, day and time of day in UTC.
struct CivilTime: Equatable {
    /// The year; 0 and negative years precede the year 1.
    var year: Int64
    /// The month, from 1 to 12.
    var month: Int64
    /// The day of the month, from 1.
    var day: Int64
    /// Seconds since midnight.
    var seconds: Int64

    /// Seconds from 1970 to 2001, the reference date of `Date`.
    static let referenceSeconds: Int64 = 978_307_200
    /// The number of seconds in a day.
    private static let daySeconds: Int64 = 86_400
    /// The first day of the Gregorian calendar, 15 October 1582, in days since 1970.
    private static let gregorianStart: Int64 = -141_427

    init(year: Int64, month: Int64, day: Int64, seconds: Int64) {
        self.year = year
        self.month = month
        self.day = day
        self.seconds = seconds
    }

    /// Converts seconds since 1970.
    ///
    /// The day is computed in years that start in March (Howard Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms").
    ///
    /// - Parameters:
    ///   - secondsSince1970: the number of seconds.
    ///   - julian: whether dates before 15 October 1582 are in the Julian calendar, as in
    ///     Foundation, or in the Gregorian calendar, as in RFC 3339.
    init(secondsSince1970: Int64, julian: Bool) {
        var days = secondsSince1970 / Self.daySeconds
        seconds = secondsSince1970 % Self.daySeconds
        if seconds < 0 {
            seconds += Self.daySeconds
            days -= 1
        }
        var dayOfYear: Int64
        if julian, days < Self.gregorianStart {
            // Days since 1 March of the Julian year 0, in cycles of 4 years.
            let cycleDays = days + 719_470
            let cycle = Self.floorDivide(cycleDays, 1461)
            let dayOfCycle = cycleDays - cycle * 1461
            let yearOfCycle = min(dayOfCycle / 365, 3)
            year = cycle * 4 + yearOfCycle
            dayOfYear = dayOfCycle - yearOfCycle * 365
        } else {
            let eraDays = days + 719_468
            let era = Self.floorDivide(eraDays, 146_097)
            let dayOfEra = eraDays - era * 146_097
            let yearOfEra =
                (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            year = era * 400 + yearOfEra
            dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        }
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        if month <= 2 { year += 1 }
    }

    /// Returns the seconds since 1970. A day or month out of range carries over, as in Foundation.
    ///
    /// - Parameter julian: whether dates before 15 October 1582 are in the Julian calendar.
    func secondsSince1970(julian: Bool) -> Int64 {
        let months = year * 12 + month - 1
        let year = Self.floorDivide(months, 12)
        let month = months - year * 12 + 1
        let shiftedYear = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let century = Self.floorDivide(shiftedYear, 100)
        let fours = Self.floorDivide(shiftedYear, 4)
        let start = shiftedYear * 365 + fours + dayOfYear
        var days = start - century + Self.floorDivide(shiftedYear, 400) - 719_468
        if julian, days < Self.gregorianStart { days = start - 719_470 }
        return days * Self.daySeconds + seconds
    }

    /// Divides and rounds toward negative infinity. The divisor must be positive.
    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }
}

extension CivilTime {
    /// Writes `2001-01-31T12:30:00`. Years beyond 9999 have more digits. The year must not be
    /// negative.
    func write(to buffer: inout ByteBuffer) {
        Self.write(year, width: 4, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        Self.write(month, width: 2, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        Self.write(day, width: 2, to: &buffer)
        buffer.append(UInt8(ascii: "T"))
        Self.write(seconds / 3600, width: 2, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        Self.write(seconds / 60 % 60, width: 2, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        Self.write(seconds % 60, width: 2, to: &buffer)
    }

    /// Writes a number with leading zeros.
    static func write(_ value: Int64, width: Int, to buffer: inout ByteBuffer) {
        var limit: Int64 = 1
        for _ in 1..<width { limit *= 10 }
        while limit > 1, value < limit {
            buffer.append(UInt8(ascii: "0"))
            limit /= 10
        }
        buffer.append(decimal: value)
    }

    /// Parses the output of ``write(to:)`` and returns the time and the remaining bytes; nil if the
    /// text has another format.
    ///
    /// A day number that is too large for its month is accepted, as are hour 24 and second 60. They
    /// carry over in ``secondsSince1970(julian:)``.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> (
        CivilTime, rest: Slice<UnsafeBufferPointer<UInt8>>
    )? {
        var rest = text[...]
        /// Reads an unsigned number with a bounded number of digits, and the separator after it.
        func number(_ digits: ClosedRange<Int>, then separator: UInt8?) -> Int64? {
            var value: Int64 = 0
            var count = 0
            while let digit = rest.first, (48...57).contains(digit), count < digits.upperBound {
                value = value * 10 + Int64(digit - 48)
                count += 1
                rest = rest.dropFirst()
            }
            guard count >= digits.lowerBound else { return nil }
            guard let separator else { return value }
            guard rest.first == separator else { return nil }
            rest = rest.dropFirst()
            return value
        }
        guard let year = number(4...9, then: UInt8(ascii: "-")),
            let month = number(2...2, then: UInt8(ascii: "-")), (1...12).contains(month),
            let day = number(2...2, then: UInt8(ascii: "T")), (1...31).contains(day),
            let hour = number(2...2, then: UInt8(ascii: ":")), hour <= 24,
            let minute = number(2...2, then: UInt8(ascii: ":")), minute < 60,
            let second = number(2...2, then: nil), second <= 60
        else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, seconds: hour * 3600 + minute * 60 + second)
        return (time, rest)
    }
}
