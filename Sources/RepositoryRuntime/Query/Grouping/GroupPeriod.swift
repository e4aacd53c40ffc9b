internal import Foundation

/// The periods by which records are grouped.
enum GroupPeriod: Sendable {
    /// Periods of dates in UTC. A group has the first instant of its period.
    case utc(DatePart)
    /// Periods of dates in a time zone. A group has the first day of its period.
    case zone(DatePart, TimeZone)
    /// Periods of days. A group has the first day of its period.
    case days(DatePart)

    /// A date that no day of the years 1 to 9999 contains.
    struct OutOfRange: Error {}

    /// Returns the common value of the group that contains a value. Null and values of other kinds
    /// are returned unchanged.
    ///
    /// - Throws: ``OutOfRange`` for a date in a time zone.
    func key(_ value: StoredValue) throws -> StoredValue {
        switch (self, value) {
        case (.utc(let part), .date(let date)): .date(part.start(of: date))
        case (.zone(let part, let zone), .date(let date)):
            try LocalDate(date, in: zone).map { .text($0.start(of: part).description) }
                ?? { throw OutOfRange() }()
        case (.days(let part), .text(let text)):
            .text(LocalDate(text)?.start(of: part).description ?? text)
        default: value
        }
    }
}

extension LocalDate {
    /// Returns the first day of the day, month or year that contains the day.
    public func start(of part: DatePart) -> LocalDate {
        switch part {
        case .day: self
        case .month: adding(days: 1 - day) ?? self
        case .year: LocalDate(year: year, month: 1, day: 1) ?? self
        }
    }
}
