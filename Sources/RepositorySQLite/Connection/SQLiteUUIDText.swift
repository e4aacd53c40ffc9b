internal import Foundation

/// UUIDs as SQLite keeps them: upper-case text, which orders as the bytes do.
enum SQLiteUUIDText {
    /// The UUID of its text; nil for any other text, lower case included: it would be another key
    /// to SQLite.
    static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var uuid = zero
        var place = 0
        let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    guard text[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
                guard let high = digit(text[place]), let low = digit(text[place + 1]) else {
                    return false
                }
                bytes[index] = high << 4 | low
                place += 2
            }
            return true
        }
        return isValid ? UUID(uuid: uuid) : nil
    }

    private static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
