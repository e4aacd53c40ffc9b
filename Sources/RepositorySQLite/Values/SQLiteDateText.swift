internal import StoredSchema

/// Dates as text, in the format of SQLite's own date and time functions.
///
/// Dates are written as `YYYY-MM-DD HH:MM:SS.SSS` in UTC, with six fractional digits if three would
/// lose precision.
///
/// The parser also accepts:
/// - a date without a time,
/// - a time without seconds,
/// - `T` instead of the space,
/// - any number of fractional digits, of which the first six are used,
/// - `Z` or `+HH:MM` after a time with seconds.
enum SQLiteDateText {
    /// The length of a day in microseconds.
    private static let dayLength: Int64 = 86_400_000_000

    /// Returns the text of a date in microseconds since 1970; `nil` outside the years 0 to 9999.
    static func text(microseconds: Int64) -> String? {
        let day = CivilDay.floor(microseconds, dayLength)
        let time = microseconds - day * dayLength
        let civil = CivilDay(daysSince1970: day)
        guard (0...9999).contains(civil.year) else { return nil }
        let seconds = time / 1_000_000
        let fraction = time % 1_000_000
        let digits =
            fraction % 1000 == 0 ? padded(fraction / 1000, 3) : padded(fraction, 6)
        return "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2)) "
            + "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):"
            + "\(padded(seconds % 60, 2)).\(digits)"
    }

    /// Returns the text of two days between which the text of a date lies, in whichever time zone
    /// it was written.
    ///
    /// The bounds are the start of the day before and the start of the second day after. If such a
    /// day cannot be written, the bound is a string that sorts before or after every date.
    static func bounds(microseconds: Int64) -> (lower: String, upper: String) {
        let day = CivilDay.floor(microseconds, dayLength)
        func text(_ day: Int64) -> String? {
            Self.text(microseconds: day * dayLength).map { String($0.prefix(10)) }
        }
        return (text(day - 1) ?? "", text(day + 2) ?? ":")
    }

    /// Returns the date that a text represents, in microseconds since 1970; `nil` if the text is
    /// not a valid date.
    static func microseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var scanner = Scanner(text: text)
        guard let year = scanner.number(4), scanner.skip("-"),
            let month = scanner.number(2), (1...12).contains(month), scanner.skip("-"),
            let day = scanner.number(2), (1...31).contains(day)
        else { return nil }
        let number = CivilDay(year, month, day).daysSince1970
        // Rejects a day after the end of its month: it converts to a day of the next month.
        guard CivilDay(daysSince1970: number).month == month else { return nil }
        let start = number * dayLength
        if scanner.isAtEnd { return start }
        guard scanner.skip(" ") || scanner.skip("T"), let time = scanner.time() else { return nil }
        return start + time
    }

    /// A cursor over UTF-8 text. Each method advances only over what it accepts.
    private struct Scanner {
        let text: UnsafeBufferPointer<UInt8>
        var place = 0

        var isAtEnd: Bool { place == text.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        mutating func digit() -> Int64? {
            guard place < text.count, (0x30...0x39).contains(text[place]) else { return nil }
            defer { place += 1 }
            return Int64(text[place] - 0x30)
        }

        /// Reads exactly `count` digits.
        mutating func number(_ count: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Reads a time up to the end of the text, in microseconds. A time zone offset is
        /// subtracted, so that the result may be negative or longer than a day.
        mutating func time() -> Int64? {
            guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
            else { return nil }
            let minutes = (hour * 60 + minute) * 60_000_000
            if isAtEnd { return minutes }
            guard skip(":"), let second = number(2), second < 60 else { return nil }
            var time = minutes + second * 1_000_000
            if skip(".") {
                guard let first = digit() else { return nil }
                var unit: Int64 = 100_000
                time += first * unit
                while let next = digit() {
                    unit /= 10
                    time += next * unit
                }
            }
            if isAtEnd || (skip("Z") && isAtEnd) { return time }
            let isEast = skip("+")
            guard isEast || skip("-"), let hours = number(2), hours <= 14, skip(":"),
                let minutes = number(2), minutes < 60, isAtEnd
            else { return nil }
            let zone = (hours * 60 + minutes) * 60_000_000
            return isEast ? time - zone : time + zone
        }
    }

    /// Returns a decimal number with leading zeros up to `count` digits.
    private static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
