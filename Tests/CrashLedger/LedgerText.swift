/// The text of a note in a ledger: which step wrote it, its place among those written together, and a checksum.
package enum LedgerText {
    static func make(step: Int, index: Int, of count: Int, size: Int) -> String {
        let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8((step + index) % 26)))
        let body = "\(step) \(index)/\(count) \(String(repeating: letter, count: size))"
        return "\(body) \(checksum(body))"
    }

    /// Whether the checksum is that of the text.
    package static func isWhole(_ text: String) -> Bool {
        guard let space = text.lastIndex(of: " ") else { return false }
        return text[text.index(after: space)...] == checksum(text[..<space])
    }

    /// FNV-1a in 64 bits.
    private static func checksum(_ text: some StringProtocol) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
