public import Foundation

/// A day of the Gregorian calendar, without a time of day and without a time zone: a birthday, a
/// due date.
///
/// Days lie in the years 1 to 9999. The Gregorian calendar is also used for the time before its
/// introduction. A day is encoded as text, for example `2026-11-22`.
///
/// ```swift
/// let due = LocalDate(Date(), in: .current)?.adding(days: 14)
/// ```
public struct LocalDate: Sendable, Hashable {
    /// The year × 512 + the month × 32 + the day, which is ordered like the days.
    private let packed: Int32

    /// Creates a day.
    ///
    /// - Parameters:
    ///   - year: the year, from 1 to 9999.
    ///   - month: the month, from 1 to 12.
    ///   - day: the day of the month, from 1.
    /// - Returns: Nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(ofMonth: month, year: year)
        else { return nil }
        packed = Int32(truncatingIfNeeded: year << 9 | month << 5 | day)
    }

    /// Creates a day without a check.
    private init(civil: CivilTime) {
        packed = Int32(truncatingIfNeeded: civil.year << 9 | civil.month << 5 | civil.day)
    }

    /// The first day: `0001-01-01`.
    public static let min = LocalDate(civil: CivilTime(year: 1, month: 1, day: 1, seconds: 0))
    /// The last day: `9999-12-31`.
    public static let max = LocalDate(civil: CivilTime(year: 9999, month: 12, day: 31, seconds: 0))

    /// The year, from 1 to 9999.
    public var year: Int { Int(packed >> 9) }
    /// The month, from 1 to 12.
    public var month: Int { Int(packed >> 5 & 15) }
    /// The day of the month, from 1.
    public var day: Int { Int(packed & 31) }

    /// The number of days in a month from 1 to 12.
    private static func days(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension LocalDate: Comparable {
    /// Whether `left` is an earlier day than `right`.
    public static func < (left: LocalDate, right: LocalDate) -> Bool { left.packed < right.packed }
}

/// Arithmetic.
extension LocalDate {
    /// A day of the week, numbered as in ISO 8601.
    public enum Weekday: Int, Sendable, Hashable, Codable, CaseIterable {
        case monday = 1
        case tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// The number of days since 1970-01-01.
    private var daysSince1970: Int {
        let time = CivilTime(
            year: Int64(year), month: Int64(month), day: Int64(day), seconds: 0)
        return Int(time.secondsSince1970(julian: false) / Self.secondsOfDay)
    }

    /// The number of seconds in a day.
    private static let secondsOfDay: Int64 = 86_400

    /// Creates a day from the days since 1970-01-01; nil outside of the years 1 to 9999.
    private init?(daysSince1970: Int) {
        // The first and the last day.
        guard (-719_162...2_932_896).contains(daysSince1970) else { return nil }
        self.init(
            civil: CivilTime(
                secondsSince1970: Int64(daysSince1970) * Self.secondsOfDay, julian: false))
    }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let number = (daysSince1970 + 3) % 7
        return Weekday(rawValue: (number < 0 ? number + 7 : number) + 1) ?? .monday
    }

    /// Returns the day a number of days later.
    ///
    /// - Parameter days: the number of days; a negative number gives an earlier day.
    /// - Returns: The day; nil outside of the years 1 to 9999.
    public func adding(days: Int) -> LocalDate? {
        let (sum, isOverflow) = daysSince1970.addingReportingOverflow(days)
        return isOverflow ? nil : LocalDate(daysSince1970: sum)
    }

    /// Returns the number of days until another day, which is negative if that day is earlier.
    public func days(until other: LocalDate) -> Int { other.daysSince1970 - daysSince1970 }

    /// Creates the day on which an instant lies in a time zone.
    ///
    /// - Parameters:
    ///   - date: the instant.
    ///   - zone: the time zone, whose rules at that instant decide.
    /// - Returns: Nil outside of the years 1 to 9999.
    public init?(_ date: Date, in zone: TimeZone) {
        // Far beyond the years 1 to 9999; time zones have no rules for infinite dates.
        guard abs(date.timeIntervalSince1970) < 1e12 else { return nil }
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        guard let days = Int(exactly: (seconds / Double(Self.secondsOfDay)).rounded(.down)) else {
            return nil
        }
        self.init(daysSince1970: days)
    }
}

extension LocalDate: LosslessStringConvertible {
    /// The text form: four digits of the year, two of the month and two of the day, for example
    /// `2026-11-22`.
    public var description: String {
        String(unsafeUninitializedCapacity: 10) { buffer in
            func write(_ number: Int, _ places: Range<Int>) {
                var rest = number
                for place in places.reversed() {
                    buffer[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                    rest /= 10
                }
            }
            write(year, 0..<4)
            write(month, 5..<7)
            write(day, 8..<10)
            buffer[4] = UInt8(ascii: "-")
            buffer[7] = UInt8(ascii: "-")
            return 10
        }
    }

    /// Parses the text form.
    ///
    /// - Returns: Nil for every other text: `2026-1-2`, `2026-02-30`, `2026-11-22T00:00:00Z`.
    public init?(_ description: String) {
        var text = description
        let parts = text.withUTF8 { utf8 -> (Int, Int, Int)? in
            guard utf8.count == 10, utf8[4] == UInt8(ascii: "-"), utf8[7] == UInt8(ascii: "-")
            else { return nil }
            func number(_ places: Range<Int>) -> Int? {
                var value = 0
                for place in places {
                    let digit = utf8[place] &- 48
                    guard digit < 10 else { return nil }
                    value = value * 10 + Int(digit)
                }
                return value
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10)
            else { return nil }
            return (year, month, day)
        }
        guard let (year, month, day) = parts else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension LocalDate: Codable {
    /// Decodes the text form.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = LocalDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no day such as 2026-11-22")
        }
        self = day
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
