#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// Dates and days in the binary formats of PostgreSQL, which count from 1 January 2000.
    enum PostgreSQLDate {
        /// Microseconds from 1970 to 2000.
        private static let offset: Int64 = 946_684_800_000_000
        /// The first instant that `timestamptz` holds: 24 November 4714 BC.
        private static let first: Int64 = -211_813_488_000_000_000
        /// The first instant after those that it holds: 1 January 294277.
        private static let end: Int64 = 9_223_371_331_200_000_000
        /// The first day that ``LocalDate`` counts from, and 2000.
        private static let days2000 = days(LocalDate.min, until: 2000)

        /// Returns the stored number for microseconds since 1970; `nil` if PostgreSQL cannot hold
        /// the date.
        static func stored(microseconds: Int64) -> Int64? {
            let (stored, overflow) = microseconds.subtractingReportingOverflow(offset)
            return overflow || stored < first || stored >= end ? nil : stored
        }

        /// Returns the nearest number that compares as the date does: the infinities for dates that
        /// PostgreSQL cannot hold.
        static func comparable(microseconds: Int64) -> Int64 {
            stored(microseconds: microseconds) ?? (microseconds < 0 ? .min : .max)
        }

        /// Returns the microseconds since 1970; `nil` for an infinity.
        static func microseconds(stored: Int64) -> Int64? {
            guard stored > .min, stored < .max else { return nil }
            let (micros, overflow) = stored.addingReportingOverflow(offset)
            return overflow ? nil : micros
        }

        /// Returns the days since 2000.
        static func days(_ day: LocalDate) -> Int32 {
            Int32(LocalDate.min.days(until: day) - days2000)
        }

        /// Returns the day; `nil` for an infinity or a day beyond those of ``LocalDate``.
        static func day(_ days: Int32) -> LocalDate? {
            guard days > .min, days < .max else { return nil }
            return LocalDate.min.adding(days: Int(days) + days2000)
        }

        private static func days(_ day: LocalDate, until year: Int) -> Int {
            LocalDate(year: year, month: 1, day: 1).map { day.days(until: $0) } ?? 0
        }
    }
#endif
