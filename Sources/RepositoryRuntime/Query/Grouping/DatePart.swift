internal import Foundation

/// A span of time in UTC that moments are grouped by; each stands for its first moment.
///
/// The calendar is the Gregorian one, also before it was introduced.
public enum DatePart: Sendable, Hashable, CaseIterable {
    /// A year, from the first of January.
    case year
    /// A month.
    case month
    /// A day.
    case day

    private static let secondsOfDay = 86_400.0

    /// The first moment of the span that a moment lies in.
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

    /// The day of the month and the month of a day, which is counted from 1970.
    ///
    /// Years are taken to begin in March, so that the leap day is their last, in eras of 400 years, which are all alike.
    private static func place(of day: Int) -> (dayOfMonth: Int, month: Int) {
        let daysOfEra = 146_097
        // From 0000-03-01 on.
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

extension StoredValue {
    /// The value, a moment as the start of the span it lies in.
    func truncated(to part: DatePart?) -> StoredValue {
        guard let part, case .date(let date) = self else { return self }
        return .date(part.start(of: date))
    }
}
