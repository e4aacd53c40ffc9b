internal import RepositorySchema

extension LiteralCheck {
    /// Whether a text is a UUID: 8-4-4-4-12 hexadecimal digits, in either case.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(isHexDigit)
    }

    /// Whether a text is made of the characters of a URL (RFC 3986, section 2), with whole percent
    /// escapes; it may be relative.
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

    private static let refusedInURL = Set("\"<>\\^`{|}".utf8)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}

/// The text of a number: `-12.50e3`.
struct NumberText {
    private let text: String
    /// Whether it has an exponent.
    let hasExponent: Bool
    /// The digits behind the point, without zeros at the end.
    let fractionDigits: Int
    /// The digits from the first to the last that is not 0.
    let significantDigits: Int

    /// Reads a number: digits, optionally a sign before them, and a point with more digits and an
    /// exponent behind them; nil for anything else.
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

    /// The number × 10ˢᶜᵃˡᵉ, as stores keep a Decimal with a scale; nil where it is not a whole number of 64 bits.
    ///
    /// Only of a number without an exponent.
    func scaledInteger(_ scale: Int) -> Int64? {
        guard !hasExponent, fractionDigits <= scale else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1].prefix(fractionDigits) : ""
        let zeros = String(repeating: "0", count: scale - fractionDigits)
        return Int64(String(parts[0]) + fraction + zeros)
    }

    /// The number as a Double.
    var double: Double? { Double(text) }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) && character.isASCII
    }
}

/// The values of an integer type.
struct IntegerBounds {
    /// The least value.
    let minimum: Int64
    /// The greatest value.
    let maximum: Int64

    /// The bounds of a base type; nil when it is no integer type.
    static func of(_ base: BaseType) -> IntegerBounds? {
        switch base {
        case .int, .int64: IntegerBounds(minimum: .min, maximum: .max)
        case .int8: IntegerBounds(minimum: -0x80, maximum: 0x7F)
        case .int16: IntegerBounds(minimum: -0x8000, maximum: 0x7FFF)
        case .int32: IntegerBounds(minimum: -0x8000_0000, maximum: 0x7FFF_FFFF)
        case .uint8: IntegerBounds(minimum: 0, maximum: 0xFF)
        case .uint16: IntegerBounds(minimum: 0, maximum: 0xFFFF)
        case .uint32: IntegerBounds(minimum: 0, maximum: 0xFFFF_FFFF)
        case .string, .bool, .float, .double, .decimal, .date, .uuid, .url, .data: nil
        }
    }

    /// Whether a text is a whole number within the bounds.
    func contains(_ text: String) -> Bool {
        guard !text.hasPrefix("+"), let value = Int64(text) else { return false }
        return value >= minimum && value <= maximum
    }
}
