/// The text of a decimal number, such as `-12.50e3`.
///
/// The text is analysed without conversion to `Double`, so that no digit is lost.
package struct NumberText {
    /// The number as written, including its sign.
    private let text: String
    /// Whether the number has an exponent.
    package let hasExponent: Bool
    /// The number of digits after the decimal point, without trailing zeros.
    package let fractionDigits: Int
    /// The number of digits without leading zeros and without trailing zeros of the fraction.
    package let significantDigits: Int

    /// Parses a number: an optional minus sign, digits, an optional fraction and an optional
    /// exponent. Returns nil for any other text.
    package init?(_ text: String) {
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
    package func scaledInteger(_ scale: Int) -> Int64? {
        guard !hasExponent, fractionDigits <= scale else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1].prefix(fractionDigits) : ""
        let zeros = String(repeating: "0", count: scale - fractionDigits)
        return Int64(String(parts[0]) + fraction + zeros)
    }

    /// The number as a `Double`.
    package var double: Double? { Double(text) }

    /// Returns whether a character is an ASCII digit.
    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) && character.isASCII
    }
}
