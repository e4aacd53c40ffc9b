internal import Foundation
internal import RepositoryRuntime

/// Values of every type: ordinary values, extreme values, and values that are known to cause
/// problems.
enum Samples {
    /// Finite numbers, including the limits and values with long decimal forms.
    static let doubles: [Double] = [
        0, 1, -1, 0.1, 1 / 3, .pi, 1e21, 1e-7, 123_456_789.123_456_789, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, .ulpOfOne,
        9_007_199_254_740_992, 1.797_693_134_862_315_7e308,
    ]

    static let floats: [Float] = [
        0, 1, -1, 0.1, 1 / 3, .pi, 16_777_216, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
    ]

    /// Decimals with up to 38 digits and extreme exponents, including values that a `Double` cannot
    /// represent.
    static let decimals: [Decimal] = [
        "0", "1", "-1", "0.1", "0.10", "100", "1E+20", "-0.000000000000000000000000000001",
        "12345678901234567890.123456789012345678", "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999", "9007199254740993", "0.30000000000000004",
        "18446744073709551616",
    ].compactMap { Decimal(string: $0) }

    /// Decimals with a scale of 2, up to the limits of 64 bits.
    static let money: [Decimal] = [
        "0", "0.01", "-0.01", "0.1", "1", "19.99", "90071992547409.93", "92233720368547758.07",
        "-92233720368547758.08",
    ].compactMap { Decimal(string: $0) }

    /// Dates in whole seconds, including dates before 1970 and beyond 32 bits.
    static let dates: [Date] = [
        0, 1, -1, 951_782_400, 1_709_164_800, 4_102_444_800, 32_503_680_000, -12_212_553_600,
        2_147_483_648, -2_147_483_649, 978_307_200,
    ].map { Date(timeIntervalSince1970: $0) }

    /// Dates with fractions, for stores that keep microseconds.
    static let microseconds: [Date] = [
        1, -1, 999_999, -999_999, 1_700_000_000_123_456, 1_700_000_000_000_001,
        -1_700_000_000_999_999, 253_402_300_799_999_999,
    ].map { StoredDate.date(microseconds: $0) }

    static let uuids: [UUID] = [
        "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "0f8fad5b-d9cb-469f-a165-70867728950e",
    ].compactMap { UUID(uuidString: $0) }

    /// URLs of several kinds, with percent encoding and without a scheme.
    static let urls: [URL] = [
        "https://example.org", "https://example.org/",
        "https://example.org/a%20b/%C3%A9?q=1&r=%25#x",
        "file:///tmp/x%2Fy", "mailto:a@example.org", "relative/path", "/absolute", "?q", "urn:x:y",
        "http://[::1]:8080/", "data:text/plain;base64,QQ==",
    ].compactMap { URL(string: $0) }

    static let data: [Data] = [
        Data(), Data([0]), Data([0xFF]), Data(0...255), Data(repeating: 0, count: 65_536),
        Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 167) }),
    ]

    /// Strings with whitespace, combining and invisible characters, and the syntax of formats and
    /// databases.
    static let texts: [String] = [
        "", " ", "  two  ", "\t", "\n", "\r", "\r\n", "line\nline\r\nline\rline", " \n",
        "caf\u{E9}", "cafe\u{301}", "\u{301}", "😀", "👨‍👩‍👧‍👦", "🇩🇪🇯🇵", "\u{FEFF}bom", "end\u{FEFF}",
        "\u{200B}", "\u{2028}\u{2029}", "\u{85}\u{A0}", "\u{7F}", "\u{FFFD}", "\u{10FFFD}",
        "\u{E000}", "שלום", "\u{202E}rtl", "漢字", "\"quoted\"", "it's", "back\\slash", "\\u0041",
        "a/b", "<tag>&amp;</tag>", "]]>", "<!-- -->", "%41", "%", "${x}", "{\"a\":1}", "[1]", "0",
        "01", "1e3", "-0", "true", "no", "--", "/* */", ";DROP TABLE notes;", "?1", ":a",
        String(repeating: "é", count: 10_000),
    ]

    /// Strings that a format could take for null.
    static let nullWords = ["null", "NULL", "nil", "$null", "~", "None", "undefined", "<null>"]

    static let details: [Detail] = [
        Detail(text: "", inner: Inner()),
        Detail(text: "some", count: -1, inner: Inner(flag: true), tags: ["b", "a", "b", ""]),
        Detail(
            text: "cafe\u{301}", count: .max,
            inner: Inner(flag: true, amount: decimals[8], moment: dates[4])),
    ]

    /// Days in ascending order: the first and the last one, leap days, and days before 1582.
    static let days = [
        (1, 1, 1), (4, 2, 29), (999, 12, 31), (1582, 10, 10), (1969, 12, 31), (2000, 2, 29),
        (2026, 9, 30), (2026, 10, 1), (2026, 11, 9), (2026, 11, 22), (9999, 12, 31),
    ].map { EntityDefaults.localDate($0.0, $0.1, $0.2) }

    /// A record with a value in every required field.
    static func specimen() throws -> Specimen {
        Specimen(
            id: "all", string: texts[7], bool: true, int: .min, int8: .min, int16: .max,
            int32: .min, int64: .max, uint8: .max, uint16: .max, uint32: .max, float: 0.1,
            double: 0.1, decimal: decimals[8], money: money[5], date: dates[4], uuid: uuids[2],
            url: urls[2], data: data[3], colour: .blue, digit: .huge, hue: .other("ultraviolet"),
            detail: details[2], list: [3, 1, 2], details: details, gaps: ["a", nil, ""],
            map: ["one": 1, "": 0.5], day: days[1])
    }

    /// A record with a value in every optional field.
    static func sparse() throws -> Sparse {
        Sparse(
            id: "full", string: texts[7], bool: false, int: .max, int8: .max, int16: .min,
            int32: .max, int64: .min, uint8: 0, uint16: 1, uint32: .max, float: -0.1,
            double: -0.1, decimal: decimals[9], money: money[7], date: dates[3], uuid: uuids[1],
            url: urls[0], data: data[0], colour: .green, digit: .minusTwo, hue: .cold,
            detail: details[1], list: [], details: details, map: [:],
            nested: ["some": details, "none": []], day: days[2], days: days)
    }
}
