internal import Foundation

/// UUIDs as text in a single letter case, so that text order equals byte order.
enum SQLiteUUIDText {
    /// The letter case of UUIDs in a column. A column has only one: SQLite treats the same UUID in
    /// another case as a different key.
    enum Case {
        case upper, lower
    }

    /// Parses a UUID of 36 characters; returns `nil` for any other text, including a UUID in the
    /// other case.
    ///
    /// - Parameters:
    ///   - text: the UTF-8 bytes.
    ///   - letters: the letter case of the column.
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

    /// Returns the reason why a text is not a valid UUID of a column, as the predicate of an error
    /// message.
    static func reason(_ text: UnsafeBufferPointer<UInt8>, in letters: Case) -> String {
        switch letters {
        case .lower: "is no UUID in lower case"
        case .upper where uuid(text, in: .lower) != nil:
            "is a UUID in lower case, which 'storedAs: { sqlite: lowercaseText }' declares"
        case .upper: "is no UUID in upper case"
        }
    }

    private static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    /// Returns the value of a hexadecimal digit; `nil` for any other character.
    ///
    /// - Parameters:
    ///   - character: the character.
    ///   - firstLetter: `A` or `a`, according to the letter case.
    @inline(__always)
    private static func digit(_ character: UInt8, _ firstLetter: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case firstLetter...firstLetter + 5: character - firstLetter + 10
        default: nil
        }
    }
}
