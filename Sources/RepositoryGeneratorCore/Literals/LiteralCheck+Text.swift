internal import RepositorySchema

/// Formats of text literals.
extension LiteralCheck {
    /// Returns whether a text is a UUID: groups of 8-4-4-4-12 hexadecimal digits, in upper or lower
    /// case.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(isHexDigit)
    }

    /// Returns whether a text consists of the characters of a URL (RFC 3986, section 2), with
    /// complete percent escapes. The URL may be relative.
    static func isURL(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return false }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]),
                    isHexDigit(bytes[index + 2])
                else { return false }
            } else if byte <= 0x20 || byte >= 0x7F || refusedInURL.contains(byte) {
                return false
            }
        }
        return true
    }

    /// The printable ASCII characters that RFC 3986 does not allow.
    private static let refusedInURL = Set("\"<>\\^`{|}".utf8)

    /// Returns whether a byte is an ASCII hexadecimal digit.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}

/// The text of a decimal number, such as `-12.50e3`.
///
/// The text is analysed without conversion to `Double`, so that no digit is lost.
struct NumberText {
    /// The number as written, including its sign.
    private let text: String
    /// Whether the number has an exponent.
    let hasExponent: Bool
    /// The number of digits after the decimal point, without trailing zeros.
    let fractionDigits: Int
    /// The number of digits without leading zeros and without trailing zeros of the fraction.
    let significantDigits: Int

    /// Parses a number: an optional minus sign, digits, an optional fraction and an optional
    /// exponent. Returns nil for any other text.
    init?(_ text: String) {
        var rest = text[...]
        if rest.first == "-" { rest.removeFirst() }
        let whole = rest.prefix(while: Self.isDigit)
        rest.removeFirst(whole.count)
        var fraction: Substring = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = rest.prefix(while: Self.isDigit)
            rest.removeFirst(fraction.count)
            guard !fraction.isEmpty else { return nil }
        }
        hasExponent = rest.first == "e" || rest.first == "E"
        if hasExponent {
            rest.removeFirst()
            if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
            let exponent = rest.prefix(while: Self.isDigit)
            guard !exponent.isEmpty else { return nil }
            rest.removeFirst(exponent.count)
        }
        guard rest.isEmpty, !whole.isEmpty else { return nil }
        self.text = text
        while fraction.last == "0" { fraction.removeLast() }
        fractionDigits = fraction.count
        let digits = (String(whole) + fraction).drop { $0 == "0" }
        significantDigits = digits.count
    }

    /// Returns the number × 10ˢᶜᵃˡᵉ, the stored value of a Decimal with a scale. Returns nil if the
    /// result is not an integer of 64 bits, or if the number has an exponent.
    func scaledInteger(_ scale: Int) -> Int64? {
        guard !hasExponent, fractionDigits <= scale else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1].prefix(fractionDigits) : ""
        let zeros = String(repeating: "0", count: scale - fractionDigits)
        return Int64(String(parts[0]) + fraction + zeros)
    }

    /// The number as a `Double`.
    var double: Double? { Double(text) }

    /// Returns whether a character is an ASCII digit.
    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) && character.isASCII
    }
}
