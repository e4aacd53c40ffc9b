/// Tests of eight bytes at once, as in "Bit Twiddling Hacks" (S. E. Anderson).
///
/// The high bit of a byte marks a match. Only the lowest mark is exact; higher ones may be false.
enum ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Marks quotes, backslashes and control characters.
    @inline(__always)
    static func markingJSONSpecials(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* 0x22)
        let slashes = word ^ (ones &* 0x5C)
        let marks =
            (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes
            | (slashes &- ones) & ~slashes
        return marks & highs
    }

    /// Marks control characters, `&`, `<`, `>`, and the byte 0xEF, with which U+FFFE and U+FFFF
    /// begin.
    @inline(__always)
    static func markingXMLSpecials(_ word: UInt64) -> UInt64 {
        let ampersands = word ^ (ones &* 0x26)
        let opening = word ^ (ones &* 0x3C)
        let closing = word ^ (ones &* 0x3E)
        let noncharacters = word ^ (ones &* 0xEF)
        let marks =
            (word &- ones &* 0x20) & ~word | (ampersands &- ones) & ~ampersands
            | (opening &- ones) & ~opening | (closing &- ones) & ~closing
            | (noncharacters &- ones) & ~noncharacters
        return marks & highs
    }

    @inline(__always)
    static func isJSONSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }
}
