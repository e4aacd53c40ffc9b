internal import StoredSchema

/// A date in a schema: `2024-02-29` or `2024-02-29T12:30:00.5Z`, always UTC.
package enum DateLiteral {
    /// Parses a date and returns the microseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter text: `YYYY-MM-DD`, optionally followed by `THH:MM:SS`, a fraction of up to six
    ///   digits, and `Z`.
    /// - Returns: The number of microseconds; nil if the text has another format or is not a valid
    ///   date.
    package static func microseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == dash, bytes[7] == dash,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), (1...12).contains(month),
            (1...daysInMonth(month, year: year)).contains(day)
        else { return nil }
        let midnight = CivilDay(year, month, day).daysSince1970 * 86_400_000_000
        if bytes.count == 10 { return midnight }
        return timeOfDay(bytes[10...]).map { midnight + $0 }
    }

    /// Returns whether a text is a day of the years 1 to 9999: `YYYY-MM-DD`.
    package static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10 && microseconds(text) != nil && !text.hasPrefix("0000")
    }

    /// The microseconds since midnight for `THH:MM:SS[.ffffff]Z`; nil if the text is invalid.
    private static func timeOfDay(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        guard bytes.count >= 10, bytes[0] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            bytes[3] == colon, bytes[6] == colon,
            let hour = number(bytes[1..<3]), let minute = number(bytes[4..<6]),
            let second = number(bytes[7..<9]), hour < 24, minute < 60, second < 60
        else { return nil }
        var micros = ((hour * 60 + minute) * 60 + second) * 1_000_000
        let fraction = bytes[9..<(bytes.count - 1)]
        guard !fraction.isEmpty else { return micros }
        let digits = fraction.dropFirst()
        guard fraction.first == UInt8(ascii: "."), (1...6).contains(digits.count),
            var value = number(digits)
        else { return nil }
        for _ in digits.count..<6 { value *= 10 }
        micros += value
        return micros
    }

    private static let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))

    /// The value of a run of ASCII digits; nil if another character occurs.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    private static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
