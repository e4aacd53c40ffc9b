/// A notation of dates and times as text.
enum DateTextForm: Hashable {
    /// `2026-11-22`.
    case day
    /// `2026-11-22 15:28`, with a space or `T`.
    case minutes
    /// `2026-11-22 15:28:50`.
    case seconds
    /// `2026-11-22 15:28:50.123`, with three digits or six.
    case fraction
    /// `2026-11-22T15:28:50Z`, with a number of digits behind the point.
    case iso(digits: Int)
    /// Any other notation of a date in UTC that SQLite's functions read.
    case other
    /// A date with another zone than UTC.
    case zoned

    /// Recognises a date. Days and times that do not exist are none.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard (10...40).contains(text.count) else { return nil }
        var place = 0
        func number(_ digits: Int) -> Int? {
            guard place + digits <= text.count else { return nil }
            var value = 0
            for index in place..<place + digits {
                guard (0x30...0x39).contains(text[index]) else { return nil }
                value = value * 10 + Int(text[index] - 0x30)
            }
            place += digits
            return value
        }
        func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"),
            let day = number(2), Self.isDay(year, month, day)
        else { return nil }
        guard place < text.count else {
            // A `LocalDate` has no year 0.
            self = year == 0 ? .other : .day
            return
        }
        let isISO = skip("T")
        guard isISO || skip(" "), let hour = number(2), hour < 24, skip(":"),
            let minute = number(2), minute < 60
        else { return nil }
        guard place < text.count else {
            self = .minutes
            return
        }
        guard skip(":"), let second = number(2), second < 60 else { return nil }
        var digits = 0
        if skip(".") {
            while place < text.count, (0x30...0x39).contains(text[place]) {
                digits += 1
                place += 1
            }
            guard digits > 0 else { return nil }
        }
        let isUTC = skip("Z")
        if place == text.count {
            switch (isISO, isUTC, digits) {
            case (true, true, 0), (true, true, 3), (true, true, 6): self = .iso(digits: digits)
            case (false, false, 0): self = .seconds
            case (false, false, 3), (false, false, 6): self = .fraction
            default: self = .other
            }
            return
        }
        guard !isUTC, skip("+") || skip("-"), let hours = number(2), hours < 15, skip(":"),
            let minutes = number(2), minutes < 60, place == text.count
        else { return nil }
        self = hours == 0 && minutes == 0 ? .other : .zoned
    }

    /// Returns whether a day exists in the Gregorian calendar.
    private static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...lengths[month - 1]).contains(day)
    }
}
