import Foundation
import RepositoryRuntime
import Testing

@Suite("Days without a time")
struct LocalDateTests {
    /// A calendar that is Gregorian from 1582 on.
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }()

    @Test("agree with Foundation's calendar from 1583 to the last one")
    func calendar() throws {
        var day = try #require(LocalDate("1583-01-01"))
        var date = try #require(
            Self.calendar.date(from: DateComponents(year: 1583, month: 1, day: 1)))
        let start = day
        var count = 0
        while true {
            let parts = Self.calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
            // Foundation counts from Sunday.
            #expect(day.weekday.rawValue % 7 + 1 == parts.weekday)
            #expect(LocalDate(date, in: .gmt) == day)
            #expect(start.days(until: day) == count)
            #expect(LocalDate(day.description) == day)
            guard let next = day.adding(days: 89) else { break }
            #expect(day < next && day.description < next.description)
            (day, date, count) = (next, date + 89 * 86_400, count + 89)
        }
        #expect(day.year == 9999)
    }

    @Test("follow each other from the first one, through two periods of the calendar")
    func successors() {
        var (year, month, dayOfMonth, weekday) = (1, 1, 1, 1)
        var (day, count) = (LocalDate.min, 0)
        var mismatches: [LocalDate] = []
        while year <= 800 {
            if [day.year, day.month, day.day, day.weekday.rawValue, LocalDate.min.days(until: day)]
                != [year, month, dayOfMonth, weekday, count]
                || LocalDate(year: year, month: month, day: dayOfMonth) != day
            {
                mismatches.append(day)
            }
            guard let next = day.adding(days: 1), day < next, mismatches.count < 10 else { break }
            (day, count, weekday) = (next, count + 1, weekday % 7 + 1)
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            dayOfMonth += 1
            if dayOfMonth > lengths[month - 1] { (dayOfMonth, month) = (1, month + 1) }
            if month == 13 { (month, year) = (1, year + 1) }
        }
        #expect(mismatches == [])
        // 400 years have 146,097 days.
        #expect(count == 2 * 146_097)
        #expect(LocalDate.min.days(until: .max) == 3_652_058)
    }

    @Test("exist where the calendar has them")
    func existence() {
        for year in [1, 4, 100, 400, 1900, 2000, 2023, 2024, 9999] {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            #expect((LocalDate(year: year, month: 2, day: 29) != nil) == isLeap, "\(year)")
            #expect(LocalDate(year: year, month: 2, day: 30) == nil)
            for month in 1...12 {
                #expect(LocalDate(year: year, month: month, day: 0) == nil)
                #expect(LocalDate(year: year, month: month, day: 32) == nil)
                #expect(
                    (LocalDate(year: year, month: month, day: 31) != nil)
                        == [1, 3, 5, 7, 8, 10, 12].contains(month))
            }
            #expect(LocalDate(year: year, month: 0, day: 1) == nil)
            #expect(LocalDate(year: year, month: 13, day: 1) == nil)
        }
        for year in [Int.min, -1, 0, 10_000, Int.max] {
            #expect(LocalDate(year: year, month: 1, day: 1) == nil)
        }
    }

    @Test("end with the years 1 and 9999")
    func limits() {
        #expect(LocalDate.min.description == "0001-01-01")
        #expect(LocalDate.max.description == "9999-12-31")
        #expect(LocalDate.min.adding(days: -1) == nil)
        #expect(LocalDate.max.adding(days: 1) == nil)
        #expect(LocalDate.min.adding(days: 3_652_058) == .max)
        #expect(LocalDate.max.adding(days: .max) == nil)
        #expect(LocalDate.min.adding(days: .min) == nil)
        for seconds in [-Double.infinity, -1e30, -62_135_596_801, 253_402_300_800, 1e30, .nan] {
            #expect(LocalDate(Date(timeIntervalSince1970: seconds), in: .gmt) == nil)
        }
        #expect(LocalDate(Date(timeIntervalSince1970: -62_135_596_800), in: .gmt) == .min)
        #expect(LocalDate(Date(timeIntervalSince1970: 253_402_300_799.5), in: .gmt) == .max)
    }

    @Test(
        "have one text",
        arguments: [
            "", "2026", "2026-11", "2026-1-02", "26-11-22", "2026-11-2", "2026-11-22 ",
            " 2026-11-22", "2026-11-22T00:00:00Z", "2026/11/22", "20261122", "2026-13-01",
            "2026-00-10", "2026-02-29", "0000-01-01", "10000-01-01", "-001-01-01", "+026-11-22",
            "2026-11-2\u{0}", "٢٠٢٦-١١-٢٢", "2026‐11‐22", "２026-11",
        ])
    func text(text: String) {
        #expect(LocalDate(text) == nil)
        #expect(LocalDate(identifierString: text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([LocalDate].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test("are encoded as text")
    func codable() throws {
        let days = try [#require(LocalDate("2026-11-22")), .min]
        let data = try JSONEncoder().encode(days)
        #expect(String(decoding: data, as: UTF8.self) == #"["2026-11-22","0001-01-01"]"#)
        #expect(try JSONDecoder().decode([LocalDate].self, from: data) == days)
    }

    @Test(
        "are those of a time zone", arguments: ["Europe/Vienna", "Pacific/Apia", "Asia/Kathmandu"])
    func zones(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Self.calendar
        calendar.timeZone = zone
        // Every eleventh hour of the years with the changes of these zones.
        for hour in stride(from: 0, to: 24 * 366 * 2, by: 11) {
            let date = Date(timeIntervalSince1970: 1_293_840_000 + Double(hour) * 3600 - 0.001)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let day = try #require(LocalDate(date, in: zone))
            #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
        }
    }

    @Test("begin months and years")
    func starts() throws {
        let day = try #require(LocalDate("2024-02-29"))
        #expect(
            DatePart.allCases.map { day.start(of: $0).description }
                == ["2024-01-01", "2024-02-01", "2024-02-29"])
        #expect(LocalDate.min.start(of: .year) == .min)
    }
}
