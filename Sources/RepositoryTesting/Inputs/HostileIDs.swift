/// Ids that a faulty store confuses with one another, with internal names, or with paths outside
/// its folder.
///
/// All differ in their bytes. None is empty or contains U+0000.
enum HostileIDs {
    /// More than 500 distinct ids, in a fixed order.
    static let all: [String] = {
        var seen: Set<[UInt8]> = []
        let groups = [
            cases, unicodeForms, folds, paths, percents, pictures, controls, long, windows, sql,
            names, encodings, spaces, punctuation, numbers, languages,
        ]
        return groups.flatMap { $0 }.filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
    }()

    /// The ids that XML 1.0 can represent.
    static let printable = all.filter { id in
        id.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD: true
            case 0..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    /// Every ASCII letter in both cases, alone and inside a word.
    private static let cases: [String] = "abcdefghijklmnopqrstuvwxyz".flatMap { letter in
        [
            "\(letter)", letter.uppercased(), "id-\(letter)", "id-\(letter.uppercased())",
        ]
    }

    /// Composed and decomposed characters.
    private static let unicodeForms: [String] = {
        let bases = "AEOUaeiouNnCcy"
        let marks = ["\u{301}", "\u{300}", "\u{302}", "\u{308}", "\u{303}", "\u{327}"]
        let composed = (0xC0...0xFF).compactMap { UnicodeScalar($0) }.map { String($0) }
        return composed + bases.flatMap { base in marks.map { "\(base)" + $0 } } + [
            "\u{AC00}", "\u{1100}\u{1161}", "\u{1E9B}\u{323}", "\u{1E69}", "s\u{323}\u{307}",
            "s\u{307}\u{323}", "\u{301}", "\u{FB01}", "fi", "\u{2126}", "\u{3A9}", "\u{212B}",
            "\u{FF21}", "\u{1D400}",
        ]
    }()

    /// Characters with special case mappings.
    private static let folds = [
        "ß", "ẞ", "SS", "ss", "ı", "İ", "ſ", "\u{212A}", "ς", "σ", "Σ", "ŉ", "ʼn", "ΐ", "ΐ", "ﬃ",
    ]

    /// Ids that are paths or path components.
    private static let paths = [
        "/", "//", "a/b", "a//b", "/a", "a/", "/etc/passwd", ".", "..", "...", "./a", "../a",
        "../../a", "a/..", "a/../b", ".hidden", "a.", "a..", "~", "~root", "\\", "a\\b", "..\\..",
        "C:\\a", "C:", "\\\\server\\share", "file:///etc", "a:b", ".DS_Store", "a/.", "\u{2215}",
        "\u{2044}", "\u{FF0F}", "\u{2024}\u{2024}", "\u{FE68}", "-", "--", "-rf", "a.json",
    ]

    /// Percent-encoded sequences and other escapes, valid and invalid.
    private static let percents =
        [
            "%", "%%", "%2", "%2F", "%2f", "%252F", "%25", "%00", "%0", "%u0041", "%41", "a%20b",
            "a+b", "%C3%A9", "%e9", "%2E%2E", "%2e%2e%2f", "%GG", "%5F", "%_", "&#65;", "&amp;",
            "=41", "=?utf-8?Q?a?=", "xn--caf-dma", "\\x41", "\\u0041", "\\0", "\\u0000", "$41",
        ] + "0123456789ABCDEF".map { "%4\($0)" }

    /// Emoji, including joined and modified ones.
    private static let pictures = [
        "😀", "👍", "👍🏽", "👨‍👩‍👧", "👨", "🇩🇪", "🇩", "❤", "❤️",
        "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{200D}", "\u{FE0F}", "😀😀",
    ]

    /// The control characters except U+0000, and other invisible scalars.
    private static let controls: [String] =
        (Array(1...31) + Array(0x7F...0x9F) + [0xFFFE, 0xFFFF, 0xFDD0, 0x10_FFFF])
        .compactMap { UnicodeScalar($0 as UInt32) }.map { "c\($0)" }
        + [
            "\u{1}", "\u{7F}", "\u{AD}", "\u{200B}", "\u{200E}", "\u{202E}", "\u{2060}", "\u{FEFF}",
            "\u{FEFF}a", "\u{FFFD}", "\u{E000}",
            "\u{E0001}", "\u{2028}", "\u{2029}", "a\u{200B}",
        ]

    /// Ids with lengths around the limits of file names and paths.
    private static let long: [String] =
        [119, 120, 121, 127, 128, 200, 243, 244, 250, 254, 255, 256, 257, 1_024, 4_095, 4_096]
        .map { String(repeating: "l", count: $0) }
        + [
            String(repeating: "l", count: 4_095) + "m", String(repeating: "L", count: 120),
            String(repeating: "/", count: 4_096), String(repeating: "../", count: 1_365),
            String(repeating: "é", count: 2_048), String(repeating: "😀", count: 1_024),
            String(repeating: "%", count: 255), String(repeating: "é", count: 60),
        ]

    /// Names and suffixes that Windows reserves.
    private static let windows: [String] =
        ["CON", "PRN", "AUX", "NUL", "con", "Con", "CON.txt", "nul.json", "a ", "a. ", " a", "a<b"]
        + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
        + ["a>b", "a|b", "a?b", "a*b", "a\"b", "CONIN$", "CLOCK$", "$MFT", "desktop.ini"]
}
