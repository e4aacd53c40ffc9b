internal import Foundation

/// UUIDs as SQLite keeps them: text of one case, which orders as the bytes do.
enum SQLiteUUIDText {
    /// Of what size the letters are. It is a property of a column: to SQLite the other text is another key.
    enum Case {
        case upper, lower
    }

    /// The UUID of its text; nil for any other text, the other case included.
    static func uuid(_ text: UnsafeBufferPointer<UInt8>, in letters: Case) -> UUID? {
        guard text.count == 36 else { return nil }
        let firstLetter = letters == .upper ? UInt8(ascii: "A") : UInt8(ascii: "a")
        var uuid = zero
        var place = 0
        let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    guard text[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
                guard let high = digit(text[place], firstLetter),
                    let low = digit(text[place + 1], firstLetter)
                else { return false }
                bytes[index] = high << 4 | low
                place += 2
            }
            return true
        }
        return isValid ? UUID(uuid: uuid) : nil
    }

    /// Why a text is not the UUID of a column.
    static func reason(_ text: UnsafeBufferPointer<UInt8>, in letters: Case) -> String {
        switch letters {
        case .lower: "is no UUID in lower case"
        case .upper where uuid(text, in: .lower) != nil:
            "is a UUID in lower case, which 'storedAs: { sqlite: lowercaseText }' declares"
        case .upper: "is no UUID in upper case"
        }
    }

    private static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    private static func digit(_ character: UInt8, _ firstLetter: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case firstLetter...firstLetter + 5: character - firstLetter + 10
        default: nil
        }
    }
}
